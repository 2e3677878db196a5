import { FORBIDDEN_NAMES, isMembers } from '../../../schemas/kit/form/form-fields.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';

/** The way from the whole of a form's data to one value: names of members and positions in lists. */
export type Path = readonly (string | number)[];

/** A path as text, as the server names sources: `rows.2.port`; empty for the whole. */
export function keyOf(path: Path): string {
  return path.join('.');
}

/** Whether a key leads to the same place as another, or inside of it. */
export function isWithin(key: string, other: string): boolean {
  return other === '' || key === other || key.startsWith(`${other}.`);
}

/** The value at a path; `undefined` where there is none. Own members only. */
export function valueIn(data: JsonValue | undefined, path: Path): JsonValue | undefined {
  let value = data;
  for (const part of path) {
    if (Array.isArray(value)) value = value[Number(part)];
    else if (isMembers(value) && Object.hasOwn(value, part)) value = value[part];
    else return undefined;
  }
  return value;
}

/** The data with another value at a path; `undefined` takes a member away. Objects and lists on the way are made. The data itself stays as it is. */
export function withValueIn(data: JsonValue | undefined, path: Path, value: JsonValue | undefined): JsonValue | undefined {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  if (FORBIDDEN_NAMES.has(String(part))) return data;
  if (Array.isArray(data) || (typeof part === 'number' && !isMembers(data))) {
    const list = Array.isArray(data) ? [...data] : [];
    list[Number(part)] = withValueIn(list[Number(part)], rest, value) ?? null;
    return list;
  }
  const members: { [name: string]: JsonValue } = isMembers(data) ? { ...data } : {};
  const next = withValueIn(Object.hasOwn(members, part) ? members[part] : undefined, rest, value);
  if (next === undefined) delete members[part];
  else members[part] = next;
  return members;
}

/** The key of what holds a place; empty for the whole, and for the whole itself. */
export function keyAbove(key: string): string {
  const end = key.lastIndexOf('.');
  return end === -1 ? '' : key.slice(0, end);
}
