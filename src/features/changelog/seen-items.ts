interface Release {
  readonly groups: readonly { readonly items: readonly string[] }[];
}

/** More than this is never shown at once; the setting must stay small. */
const MOST_KEPT = 500;

/** A short mark of an item's text, the same in every browser. */
export function markOf(text: string): string {
  // FNV-1a in 32 bits.
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** The marks of all items of these releases. */
export function marksOf(releases: readonly Release[]): string[] {
  return releases.flatMap(({ groups }) => groups.flatMap(({ items }) => items.map(markOf))).slice(0, MOST_KEPT);
}

/** The marks of items that were not there at the last visit; none at the first, when everything would be new. */
export function newMarks(releases: readonly Release[], kept: unknown): ReadonlySet<string> {
  if (!Array.isArray(kept)) return new Set();
  const seen = new Set(kept);
  return new Set(marksOf(releases).filter((mark) => !seen.has(mark)));
}
