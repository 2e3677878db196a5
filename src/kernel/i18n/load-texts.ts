import { addTexts, hasTexts } from './translator.ts';
import { isShipped, type Language, type ShippedLanguage } from './languages.ts';
import { PUBLIC_TEXTS } from './start-texts.ts';

/** Texts by key, or by the parts of their keys. */
export type TextFile = { [key: string]: string | TextFile };
/** The files of a language by path; each is a chunk of its own, except those of the start. */
type TextFiles = Record<string, () => Promise<TextFile>>;

// In chunks of their own, because only one list of files is needed.
const lists: Record<ShippedLanguage, () => Promise<{ files: TextFiles }>> = {
  en: () => import('../../locales/en.ts'),
  nb: () => import('../../locales/nb.ts'),
  ja: () => import('../../locales/ja.ts'),
  uk: () => import('../../locales/uk.ts'),
};
const filesByName = new Map<Language, ReadonlyMap<string, TextFiles[string]>>();
const wanted = new Set<string>(PUBLIC_TEXTS);
const underWay = new Map<string, Promise<void>>();

/** `./nb/jobs.json` → `jobs`; `../../schemas/credit-types/nb.json` → `credit-types`. */
function nameOf(path: string): string {
  const [folder = '', file = ''] = path.replace('.json', '').split('/').slice(-2);
  return isShipped(folder) ? file : folder;
}

async function filesOf(language: ShippedLanguage): Promise<ReadonlyMap<string, TextFiles[string]>> {
  const known = filesByName.get(language);
  if (known) return known;
  const { files } = await lists[language]();
  const byName = new Map(Object.entries(files).map(([path, load]) => [nameOf(path), load]));
  filesByName.set(language, byName);
  return byName;
}

/** The name of every file of texts. */
export async function namesOfTexts(): Promise<string[]> {
  return [...(await filesOf('en')).keys()];
}

/** Loads what is wanted by now in a language, and what becomes wanted meanwhile. Files that do not exist, such as those of an added form's room, are left out. */
export async function loadWanted(language: Language): Promise<void> {
  // What an added language lacks is English.
  const source = isShipped(language) ? language : 'en';
  const files = await filesOf(source);
  const missing = [...wanted].filter((name) => files.has(name) && !hasTexts(source, name));
  if (missing.length === 0) return;
  await Promise.all(missing.map((name) => loadFile(source, name, files.get(name))));
  return loadWanted(language);
}

/** From now on these texts are loaded with every language. */
export function want(names: readonly string[]): void {
  for (const name of names) wanted.add(name);
}

function loadFile(language: ShippedLanguage, name: string, load: TextFiles[string] | undefined): Promise<void> {
  const key = `${language}/${name}`;
  const known = underWay.get(key);
  if (known || !load) return known ?? Promise.resolve();
  const loading = load()
    .then((texts) => addTexts(language, name, flatten(texts)))
    .finally(() => underWay.delete(key));
  underWay.set(key, loading);
  return loading;
}

/** `{ a: { b: 'x' } }` → `{ 'a.b': 'x' }`. */
function flatten(source: TextFile, prefix = '', target: Record<string, string> = {}): Record<string, string> {
  for (const [key, value] of Object.entries(source)) {
    if (typeof value === 'string') target[prefix + key] = value;
    else flatten(value, `${prefix}${key}.`, target);
  }
  return target;
}
