/**
 * The last item of a list that an earlier one is equal to, and where that is; undefined when all differ. Each item is looked at once: compared with each
 * other, as Ajv does with lists and groups, ten thousand of them take seconds. Its source also goes into validators that are compiled for the browser, so it
 * calls nothing of this file.
 */
export function findRepeatedItem(items: readonly unknown[]): { i: number; j: number } | undefined {
  const textOf = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
    const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`);
    return `{${members.toSorted().join()}}`;
  };
  const places = new Map<string, number>();
  let repeated: { i: number; j: number } | undefined;
  for (const [i, item] of items.entries()) {
    const text = textOf(item);
    const j = places.get(text);
    if (j !== undefined) repeated = { i, j };
    places.set(text, i);
  }
  return repeated;
}
