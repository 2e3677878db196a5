import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findLiteralTexts, findMissingTexts, findUnknownKeys, findWrongPlaceholders, type LanguageTexts } from './i18n-rules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const localeFolder = join(root, 'src/locales');

/** Every text of a language: key → text and the file it stands in. A key that stands in two files is a problem of its own. */
function readLanguage(language: string, problems: string[]): LanguageTexts {
  const texts: LanguageTexts = new Map();
  for (const file of readdirSync(join(localeFolder, language)).filter((name) => name.endsWith('.json'))) {
    const path = join('src/locales', language, file);
    for (const [key, text] of flatten(JSON.parse(readFileSync(join(root, path), 'utf8')), '')) {
      const known = texts.get(key);
      if (known) problems.push(`${path}: "${key}" stands in ${known.file} too`);
      texts.set(key, { text, file: path });
    }
  }
  return texts;
}

function flatten(value: unknown, prefix: string): [string, string][] {
  if (typeof value === 'string') return [[prefix.slice(0, -1), value]];
  if (typeof value !== 'object' || value === null) throw new Error(`${prefix.slice(0, -1)} is neither a text nor a group of texts.`);
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, `${prefix}${key}.`));
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\.d\.ts$|test-\w+\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

const problems: string[] = [];
const languages = readdirSync(localeFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);
const all = new Map(languages.map((language) => [language, readLanguage(language, problems)]));

problems.push(...findMissingTexts(all), ...findWrongPlaceholders(all));
for (const path of sourceFiles(join(root, 'src'))) {
  const source = { path: relative(root, path), code: readFileSync(path, 'utf8') };
  if (path.endsWith('.tsx')) problems.push(...findLiteralTexts(source));
  problems.push(...findUnknownKeys(source, all.get('en') ?? new Map()));
}

if (problems.length > 0) {
  console.error(problems.toSorted().join('\n'));
  console.error(`\n${problems.length} problem${problems.length === 1 ? '' : 's'} with the texts.`);
  process.exitCode = 1;
} else {
  console.log(`${all.get('en')?.size ?? 0} texts in ${languages.length} languages.`);
}
