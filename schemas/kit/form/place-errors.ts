import { fieldAt, fieldsOf } from './form-fields.ts';
import type { ErrorItem, FormFile } from './types.ts';

export interface PlacedErrors {
  /** Error items by field path, dots between its parts (`name`, `address.city`, `rules.2.port`). */
  fields: Record<string, ErrorItem[]>;
  /** What belongs to no field that is shown. */
  rest: ErrorItem[];
  /** Fields to empty: the confirmations of passwords that were refused. */
  blank: string[];
}

const CONFIRMATION = '_confirmation';

/** `data.3.address.city` → `address.city`: for bulk payloads the field is the third part of the source (docs/behaviour.md section 5). */
function pathOf(source: string, form: FormFile): string {
  const parts = source.split('.');
  const [first = '', second = ''] = parts;
  return parts.length > 2 && !fieldsOf(form).has(first) && /^\d+$/.test(second) ? parts.slice(2).join('.') : source;
}

/** The path by the form's own names: the longest part of it that `renames` knows is replaced. */
function renamed(path: string, renames: Readonly<Record<string, string>>): string {
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const start = path.slice(0, end);
    if (Object.hasOwn(renames, start)) return `${renames[start] ?? ''}${path.slice(end)}`;
  }
  return path;
}

/**
 * Puts the server's error items where the user looks for them. `source: "id"` is never shown at a field, UNAUTHORIZED is not shown at all
 * (the session machinery deals with it), `submit.errors.fields` renames a source, and an error of a password empties its confirmation,
 * which is marked without a second text (docs/behaviour.md section 5). With `visible`, errors of fields that are not drawn go to `rest`. Pure.
 */
export function placeErrors(
  items: readonly ErrorItem[],
  form: FormFile,
  visible: readonly string[] = [...fieldsOf(form).keys()],
): PlacedErrors {
  const renames = form.submit.errors?.fields ?? {};
  const drawn = new Set(visible);
  const fields = new Map<string, ErrorItem[]>();
  const rest: ErrorItem[] = [];
  const blank: string[] = [];
  for (const item of items) {
    if (item.code === 'UNAUTHORIZED') continue;
    const path = item.source === undefined ? '' : renamed(pathOf(item.source, form), renames);
    const field = fieldAt(form, path);
    // A group shows what is wrong with itself; what no member of it stands for has nobody to show it.
    const isShown = field !== undefined && drawn.has(field.path) && (!field.isGroup || field.path === path);
    if (path === 'id' || !isShown) rest.push(item);
    else fields.set(path, [...(fields.get(path) ?? []), item]);
  }
  for (const [path, found] of [...fields]) {
    const confirmation = `${path}${CONFIRMATION}`;
    const [first] = found;
    if (!first || !drawn.has(confirmation)) continue;
    fields.set(confirmation, [{ code: first.code, message: '', source: confirmation }]);
    blank.push(confirmation);
  }
  return { fields: Object.fromEntries(fields), rest, blank };
}
