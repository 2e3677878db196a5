/** Numbers of companies or of tags by name. */
export type Names = ReadonlyMap<string, number>;

/** The number of what has a name. Throws Error for a name that the demo does not have. */
export function idOf(names: Names, name: string): number {
  const id = names.get(name);
  if (id === undefined) throw new Error(`The demo has no ${name}`);
  return id;
}
