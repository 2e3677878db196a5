const held = new Map<string, File>();

/** What every token starts with, so that a text can be distinguished from a held file. */
const PREFIX = 'file-';

/**
 * Keeps a file that the user chose and answers the token that stands for it. A form's value is plain JSON (model, drafts, `prepareData`),
 * so a file field holds this token, an array of files an array of tokens; the code that sends the form asks `heldFile` for the bytes.
 * The token is `file-` and a random name, 37 characters.
 */
export function holdFile(file: File): string {
  const token = `${PREFIX}${randomName()}`;
  held.set(token, file);
  return token;
}

// `crypto.randomUUID` is missing on plain http.
function randomName(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The file behind a token; `undefined` for any other value, and for a token of an earlier page load. */
export function heldFile(token: unknown): File | undefined {
  return typeof token === 'string' && token.startsWith(PREFIX) ? held.get(token) : undefined;
}

/** Lets go of files that are needed no more, in groups and lists too: sent, hidden, or their form is closed. Anything that is no token is ignored. */
export function releaseFiles(value: unknown): void {
  if (typeof value === 'string') held.delete(value);
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) releaseFiles(inner);
}
