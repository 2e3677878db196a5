import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Gives the text of a key, with its `{names}` filled in. */
export type Texts = (key: string, params?: Record<string, string>) => string;

/** The console's texts in this language. Throws for a key that has none. */
export function textsOf(language: 'en' | 'nb'): Texts {
  const folder = fileURLToPath(new URL(`../../src/locales/${language}/`, import.meta.url));
  const texts: Record<string, string> = Object.assign(
    {},
    ...readdirSync(folder).map((file): unknown => JSON.parse(readFileSync(folder + file, 'utf8'))),
  );
  return (key, params = {}) => {
    const text = texts[key];
    if (text === undefined) throw new Error(`no text ${key}`);
    return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);
  };
}
