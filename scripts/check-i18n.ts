import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONSOLE_TEXTS, PUBLIC_TEXTS } from '../src/kernel/i18n/start-texts.ts';
import { findLateTexts } from './text-use.ts';
import { findLiteralTexts, findMissingTexts, findUnknownKeys, findWrongPlaceholders, type LanguageTexts } from './i18n-rules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Modules whose texts are there by other means than the code that loads them. */
const EXCUSED = new Map([
  // Any refused call loads the texts of refusals before its error is thrown.
  ['src/kernel/http/message.ts', ['errors', 'history', 'permissions']],
  ['src/engine/form/item-text.ts', ['errors']],
  ['src/engine/form/file-position.ts', ['errors']],
  // `loadForm` comes before them.
  ['src/engine/form/open-form.ts', ['form']],
  ['src/engine/form/after-submit.ts', ['form']],
  ['src/engine/form/theme/templates/FormTabs.tsx', ['form']],
  ['src/engine/actions/edit-at-once.ts', ['form']],
  ['src/engine/table/views/use-list-view.ts', ['forms-views']],
  // The built-in roles are in `lists`.
  ['src/kernel/session/role-title.ts', ['roles']],
]);
const localeFolder = join(root, 'src/locales');

/** Every text of a language: key → text and the file it is in. A key that is in two files is a problem of its own. */
function readLanguage(language: string, problems: string[]): LanguageTexts {
  const texts: LanguageTexts = new Map();
  for (const file of readdirSync(join(localeFolder, language)).filter((name) => name.endsWith('.json'))) {
    const path = join('src/locales', language, file);
    for (const [key, text] of flatten(JSON.parse(readFileSync(join(root, path), 'utf8')), '')) {
      const known = texts.get(key);
      if (known) problems.push(`${path}: "${key}" is in ${known.file} too`);
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
const sources = sourceFiles(join(root, 'src')).map((path) => ({ path: relative(root, path), code: readFileSync(path, 'utf8') }));
for (const source of sources) {
  if (source.path.endsWith('.tsx')) problems.push(...findLiteralTexts(source));
  problems.push(...findUnknownKeys(source, all.get('en') ?? new Map()));
}
problems.push(...lateTexts());

/** Rooms come with the start: their `index.ts` names what they load later. */
function lateTexts(): string[] {
  const modules = sources.map(({ path, code }) => ({
    path,
    code: code.includes("glob<Room>('../features/*/index.ts'") ? code + roomImports() : code,
  }));
  const keys = new Map([...(all.get('en') ?? [])].map(([key, { file }]) => [key, basename(file, '.json')]));
  const ofConsole = [...PUBLIC_TEXTS, ...CONSOLE_TEXTS];
  const entries = [
    { path: 'src/main.tsx', start: PUBLIC_TEXTS },
    { path: 'src/app/ConsoleApp.tsx', start: ofConsole },
    { path: 'src/app/ConnectApp.tsx', start: ofConsole },
    // Beside the console, and in its place for somebody who is signed in.
    { path: 'src/engine/form/offer-drafts.ts', start: [...ofConsole, 'dialogs'] },
    { path: 'src/features/account/SetUpSecondFactor.tsx', start: [...ofConsole, 'account'] },
  ];
  return findLateTexts(modules, { entries, keys, excused: EXCUSED });
}

function roomImports(): string {
  const rooms = sources.filter(({ path }) => /^src\/features\/[\w-]+\/index\.ts$/.test(path));
  return rooms.map(({ path }) => `\nimport '${path.replace('src/', '../')}';`).join('');
}

if (problems.length > 0) {
  console.error(problems.toSorted().join('\n'));
  console.error(`\n${problems.length} problem${problems.length === 1 ? '' : 's'} with the texts.`);
  process.exitCode = 1;
} else {
  console.log(`${all.get('en')?.size ?? 0} texts in ${languages.length} languages.`);
}
