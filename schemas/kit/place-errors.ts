import type { ErrorItem, FormFile } from './types.ts';

export interface PlacedErrors {
  /** Error items by field path, dots between its parts (`name`, `rules.2.port`). */
  fields: Record<string, ErrorItem[]>;
  /** What belongs to no field that is shown. */
  rest: ErrorItem[];
  /** Fields to empty: the confirmations of passwords that were refused. */
  blank: string[];
}

const CONFIRMATION = '_confirmation';

/** `data.3.name` → `name`: for bulk payloads the field is the third part of the source (docs/behaviour.md section 5). */
function pathOf(source: string, isField: (name: string) => boolean): string {
  const parts = source.split('.');
  const [first = '', second = ''] = parts;
  return parts.length > 2 && !isField(first) && /^\d+$/.test(second) ? parts.slice(2).join('.') : source;
}

/**
 * Puts the server's error items where the user looks for them. `source: "id"` is never shown at a field, UNAUTHORIZED is not shown at all
 * (the session machinery deals with it), `submit.errors.fields` renames a source, and an error of a password empties its confirmation,
 * which is marked without a second text (docs/behaviour.md section 5). With `visible`, errors of fields that are not drawn go to `rest`. Pure.
 */
export function placeErrors(
  items: readonly ErrorItem[],
  form: FormFile,
  visible: readonly string[] = Object.keys(form.schema.properties),
): PlacedErrors {
  const renames = form.submit.errors?.fields ?? {};
  const isField = (name: string): boolean => visible.includes(name);
  const fields = new Map<string, ErrorItem[]>();
  const rest: ErrorItem[] = [];
  const blank: string[] = [];
  for (const item of items) {
    if (item.code === 'UNAUTHORIZED') continue;
    const found = item.source === undefined ? '' : pathOf(item.source, isField);
    const [head = '', ...tail] = found.split('.');
    const path = [Object.hasOwn(renames, head) ? (renames[head] ?? head) : head, ...tail].join('.');
    if (path === 'id' || !isField(path.split('.')[0] ?? '')) rest.push(item);
    else fields.set(path, [...(fields.get(path) ?? []), item]);
  }
  for (const [path, found] of [...fields]) {
    const confirmation = `${path}${CONFIRMATION}`;
    const [first] = found;
    if (!first || !isField(confirmation)) continue;
    fields.set(confirmation, [{ code: first.code, message: '', source: confirmation }]);
    blank.push(confirmation);
  }
  return { fields: Object.fromEntries(fields), rest, blank };
}
