import helpFile from '../../schemas/help.json' with { type: 'json' };

const entries: Readonly<Record<string, { path: string }>> = helpFile.help;

/**
 * Where the help of an entry of `schemas/help.json` is: in the console's own pages, or below the address that the server writes into
 * `<meta name="docs">` (its setting DOCS_URL). `undefined` for an entry that there is not.
 */
export function helpAddress(key: string | undefined): string | undefined {
  if (key === undefined || !Object.hasOwn(entries, key)) return undefined;
  // Where the server draws a page there is no document; the link comes with the console.
  const docs = typeof document === 'undefined' ? undefined : document.querySelector<HTMLMetaElement>('meta[name="docs"]')?.content;
  return (docs ? docs.replace(/\/$/, '') : '/help') + (entries[key]?.path ?? '');
}
