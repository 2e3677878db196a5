/** Addresses of a company's page that lead to the one of a list there. */
const ALIASES: Readonly<Record<string, string>> = { 'resources/credits': 'resources' };

/** The list that an address below a company's leads to, of those that the user sees: the one it is another name of, else the first. */
export function placeOf(asked: string, paths: readonly string[]): string | undefined {
  return paths.find((path) => path === ALIASES[asked]) ?? paths[0];
}
