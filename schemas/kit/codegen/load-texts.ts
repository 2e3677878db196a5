import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { schemasFolder } from './load.ts';

function flatten(value: unknown, prefix = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, string][] =>
    typeof inner === 'string' ? [[prefix + key, inner]] : flatten(inner, `${prefix}${key}.`),
  );
}

/** Every text that the console ships in a language, by key; `undefined` when there are none. */
export function readShippedTexts(language: string): Map<string, string> | undefined {
  const folder = resolve(schemasFolder, '../src/locales', language);
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name));
  const all = [...files, join(schemasFolder, 'credit-types', `${language}.json`)];
  return new Map(all.flatMap((path) => flatten(JSON.parse(readFileSync(path, 'utf8')))));
}

/** Keys of the English texts, or `undefined` when there are none to compare with. */
export function readTextKeys(): Set<string> | undefined {
  const texts = readShippedTexts('en');
  return texts && new Set(texts.keys());
}
