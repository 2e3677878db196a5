const START = /^\s*[[{]/;
/** A tree of more is slower than its text. */
const MOST_CHARACTERS = 262_144;

/** The list or object that a text is as JSON; undefined for any other text. */
export function readJson(text: string): object | undefined {
  if (text.length > MOST_CHARACTERS || !START.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
