import helpFile from '../../schemas/help.json' with { type: 'json' };

const entries: Readonly<Record<string, { path: string }>> = helpFile.help;

/**
 * Where the help of an entry of `schemas/help.json` is: below the documentation's address, which the server writes into
 * `<meta name="docs">` (its setting DOCS_URL). `undefined` without an address, and for an entry that there is not.
 */
export function helpAddress(key: string | undefined): string | undefined {
  // Where the server draws a page there is no document; the link comes with the console.
  if (typeof document === 'undefined') return undefined;
  const docs = document.querySelector<HTMLMetaElement>('meta[name="docs"]')?.content;
  if (!docs || key === undefined || !Object.hasOwn(entries, key)) return undefined;
  return docs.replace(/\/$/, '') + (entries[key]?.path ?? '');
}
