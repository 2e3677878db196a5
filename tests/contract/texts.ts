import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const languages = ['en', 'nb', 'ja', 'uk'] as const;
export type Language = (typeof languages)[number];

const folder = fileURLToPath(new URL('../../src/locales', import.meta.url));

function flatten(value: object, prefix = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, string][] => {
    if (typeof inner === 'string') return [[prefix + key, inner]];
    return typeof inner === 'object' && inner !== null ? flatten(inner, `${prefix}${key}.`) : [];
  });
}

/** Every text of a language by its flat key. */
export function readTexts(language: Language): Record<string, string> {
  const files = readdirSync(join(folder, language)).filter((name) => name.endsWith('.json'));
  return Object.fromEntries(files.flatMap((name) => flatten(JSON.parse(readFileSync(join(folder, language, name), 'utf8')))));
}
