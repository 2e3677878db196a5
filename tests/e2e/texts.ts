import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A text of the console in this language, with its `{names}` filled in. Throws for a key that has none. */
export function textsOf(language: 'en' | 'nb'): (key: string, params?: Record<string, string>) => string {
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
