import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { schemasFolder } from './load.ts';

function flatKeys(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? [prefix + key] : flatKeys(inner, `${prefix}${key}.`),
  );
}

/** Keys of the English texts, or `undefined` when there are none to compare with. */
export function readTextKeys(): Set<string> | undefined {
  const folder = resolve(schemasFolder, '../src/locales/en');
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return new Set(files.flatMap((name) => flatKeys(JSON.parse(readFileSync(join(folder, name), 'utf8')))));
}
