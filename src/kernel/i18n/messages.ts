export type Messages = Record<string, string>;
type Nested = { [key: string]: string | Nested };

/** Merges a language's files into one flat list: `{ a: { b: 'x' } }` → `{ 'a.b': 'x' }`. */
export function mergeMessages(files: Record<string, Nested>): Messages {
  const merged: Messages = {};
  for (const file of Object.values(files)) flattenInto(merged, file, '');
  return merged;
}

function flattenInto(target: Messages, source: Nested, prefix: string): void {
  for (const [key, value] of Object.entries(source)) {
    if (typeof value === 'string') target[prefix + key] = value;
    else flattenInto(target, value, `${prefix}${key}.`);
  }
}
