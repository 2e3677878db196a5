/** One field that differs between two states of a record, as text. */
export interface FieldChange {
  field: string;
  /** Undefined when there was nothing. */
  before: string | undefined;
  after: string | undefined;
}

type State = Record<string, unknown> | null;
/** Names of records by field and id: `company_id:7`. */
type Labels = Readonly<Record<string, unknown>>;

const NOT_SHOWN = new Set(['id', 'created_at', 'updated_at']);

function textOf(value: unknown, field: string, labels: Labels): string | undefined {
  const label = labels[`${field}:${String(value)}`];
  if (typeof label === 'string' && typeof value === 'number') return label;
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((item: unknown) => textOf(item, field, labels) ?? '').join(', ') || undefined;
  if (typeof value === 'object' && 'name' in value) return String(value.name);
  return JSON.stringify(value);
}

/** The fields whose text differs. An edit only: what a record had when it was made or removed is not a change. */
export function changedFields(before: State, after: State, labels: Labels = {}): FieldChange[] {
  if (!before || !after) return [];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((field) => !NOT_SHOWN.has(field));
  return fields
    .map((field) => ({ field, before: textOf(before[field], field, labels), after: textOf(after[field], field, labels) }))
    .filter((change) => change.before !== change.after);
}
