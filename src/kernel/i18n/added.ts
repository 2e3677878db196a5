import { isShipped, languages, type Language, type LanguageEntry } from './languages.ts';
import { setAddedTexts } from './translator.ts';

/** A console without the languages of its installation is better than none. */
const PATIENCE_MS = 3000;

interface AddedLanguage extends LanguageEntry {
  hash: string;
}

let asking: Promise<readonly AddedLanguage[]> | undefined;
const shown = new Map<Language, string>();

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function isAddedLanguage(value: unknown): value is AddedLanguage {
  if (!isObject(value)) return false;
  return ['code', 'name', 'hash'].every((member) => typeof value[member] === 'string') && typeof value['percent'] === 'number';
}

// @NOTE Not by the HTTP client: its error texts are among what is loaded here.
async function read(path: string): Promise<unknown> {
  const answer = await fetch(`/api${path}`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`);
  return answer.json();
}

async function askForList(): Promise<readonly AddedLanguage[]> {
  try {
    const body = await read('/languages');
    const list = isObject(body) && Array.isArray(body['data']) ? body['data'].filter(isAddedLanguage) : [];
    const more = list.filter(({ code }) => !isShipped(code)).map(({ code, name, percent }) => ({ code, name, percent }));
    languages.set([...languages.get(), ...more]);
    return list;
  } catch {
    return [];
  }
}

/** Learns once which languages the installation adds or changes; without an answer the shipped ones are all there are. */
export async function loadLanguageList(): Promise<readonly AddedLanguage[]> {
  asking ??= askForList();
  return asking;
}

/** Loads what the installation has added to a language; without an answer the texts are those that ship. */
export async function loadAdded(language: Language): Promise<void> {
  const found = (await loadLanguageList()).find(({ code }) => code === language);
  if (!found || shown.get(language) === found.hash) return;
  try {
    const texts = await read(`/languages/${encodeURIComponent(language)}/${encodeURIComponent(found.hash)}`);
    if (!isObject(texts)) return;
    setAddedTexts(
      language,
      Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    );
    shown.set(language, found.hash);
  } catch {
    // As above.
  }
}
