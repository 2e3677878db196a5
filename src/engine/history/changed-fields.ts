/** One field that differs between two states of a record, as text. */
export interface FieldChange {
  field: string;
  /** Undefined when there was nothing. */
  before: string | undefined;
  after: string | undefined;
}

type State = Record<string, unknown> | null;

const NOT_SHOWN = new Set(['id', 'created_at', 'updated_at']);

function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((item: unknown) => textOf(item) ?? '').join(', ') || undefined;
  if (typeof value === 'object' && 'name' in value) return String(value.name);
  return JSON.stringify(value);
}

/** The fields whose text differs. An edit only: what a record had when it was made or removed is not a change. */
export function changedFields(before: State, after: State): FieldChange[] {
  if (!before || !after) return [];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((field) => !NOT_SHOWN.has(field));
  return fields
    .map((field) => ({ field, before: textOf(before[field]), after: textOf(after[field]) }))
    .filter((change) => change.before !== change.after);
}
