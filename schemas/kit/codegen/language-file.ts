/** The longest text that a language file may hold; the longest English one has a quarter of it. */
export const MAX_TEXT_LENGTH = 2000;
/** The largest language file; all English texts are a fifth of it. */
export const MAX_LANGUAGE_FILE_BYTES = 1024 * 1024;
const MAX_DEPTH = 8;

// `de`, `pt-BR`, `zh-Hant-TW`
const CODE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$/;
// {name}
const PLACEHOLDER = /\{[^{}]*\}/g;
// <terms> </terms> <br/>
const TAG = /<\/?[a-zA-Z!][^<>]*>?/g;
const PLURAL = /_(zero|one|two|few|many|other)$/;

/** A text of a language file that is not used, and why. `key` is empty when the file as a whole is not used. */
export interface LanguageFinding {
  key: string;
  message: string;
}

/** What a language file brings. */
export interface LanguageFile {
  /** Its good texts by key. */
  texts: Record<string, string>;
  findings: LanguageFinding[];
  /** How many of a hundred texts it has, rounded down. */
  percent: number;
}

/** Whether a name can be the code of a language (BCP 47, as browsers name it). */
export function isLanguageCode(code: string): boolean {
  return CODE.test(code) && Intl.PluralRules.supportedLocalesOf([code]).length > 0;
}

/** The keys of a text: itself, or its plural forms in this language. */
function formsOf(key: string, isPlural: boolean, categories: readonly string[]): string[] {
  return isPlural ? categories.map((category) => `${key}_${category}`) : [key];
}

/** English texts by their key without the plural form. `n_one`, `n_other` → `n`; `status_other` alone is a word that ends so. */
function groupEnglish(english: ReadonlyMap<string, string>): Map<string, { isPlural: boolean; texts: string[] }> {
  const groups = new Map<string, { isPlural: boolean; texts: string[] }>();
  for (const [key, text] of english) {
    const base = key.replace(PLURAL, '');
    const isPlural = base !== key && (english.has(`${base}_one`) || text.includes('{count}')) && english.has(`${base}_other`);
    const name = isPlural ? base : key;
    const group = groups.get(name) ?? { isPlural, texts: [] };
    group.texts.push(text);
    groups.set(name, group);
  }
  return groups;
}

const found = (pattern: RegExp, text: string): string[] => text.match(pattern) ?? [];

/** Why a text cannot take the place of these English ones; `undefined` when it can. */
function faultOf(text: unknown, english: readonly string[]): string | undefined {
  if (typeof text !== 'string') return 'is no text';
  if (text.length > MAX_TEXT_LENGTH) return `has more than ${MAX_TEXT_LENGTH} characters`;
  const strange = found(PLACEHOLDER, text).find((one) => !english.some((model) => model.includes(one)));
  if (strange !== undefined) return `has the placeholder ${strange}, which the English text does not have`;
  if (text.includes('$t(')) return 'takes in another text by $t()';
  const tag = found(TAG, text).find((one) => !english.some((model) => found(TAG, model).includes(one)));
  return tag === undefined ? undefined : `has ${tag}, which the English text does not have`;
}

/** `{ a: { b: 'x' } }` and `{ 'a.b': 'x' }` → `a.b`. Names that every object has are names like others here. */
function flatten(value: unknown, prefix: string, depth: number, into: Map<string, unknown>): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) {
    into.set(prefix, value);
    return;
  }
  for (const [name, inner] of Object.entries(value)) flatten(inner, prefix === '' ? name : `${prefix}.${name}`, depth + 1, into);
}

/**
 * Reads a language file (i18next JSON v4, keys flat or nested). Texts that are empty are missing ones; texts that are no strings, of unknown keys, with other
 * placeholders or tags than the English text, or too long are left out and named. Pure.
 */
export function readLanguageFile(json: string, code: string, english: ReadonlyMap<string, string>): LanguageFile {
  const whole = (message: string): LanguageFile => ({ texts: {}, findings: [{ key: '', message }], percent: 0 });
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return whole(`is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return whole('is not a JSON object of texts');
  const given = new Map<string, unknown>();
  flatten(value, '', 0, given);
  given.delete('');
  const categories = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
  const texts = new Map<string, string>();
  const findings: LanguageFinding[] = [];
  let complete = 0;
  const groups = groupEnglish(english);
  for (const [name, { isPlural, texts: models }] of groups) {
    const keys = formsOf(name, isPlural, categories);
    for (const key of keys) {
      const text = given.get(key);
      given.delete(key);
      if (text === undefined || text === '') continue;
      const fault = faultOf(text, models);
      if (fault === undefined && typeof text === 'string') texts.set(key, text);
      else findings.push({ key, message: fault ?? 'is no text' });
    }
    if (keys.every((key) => texts.has(key))) complete += 1;
  }
  for (const [key, text] of given) if (text !== '') findings.push({ key, message: 'is not a key of the console' });
  return { texts: Object.fromEntries(texts), findings, percent: groups.size === 0 ? 0 : Math.floor((100 * complete) / groups.size) };
}

/** A file to translate: every key of the English texts with the plural forms of the language, empty, or with the texts that are given. */
export function newLanguageFile(
  code: string,
  english: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, string> = new Map(),
): string {
  const categories = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
  const keys = [...groupEnglish(english)].flatMap(([name, { isPlural }]) => formsOf(name, isPlural, categories));
  return `${JSON.stringify(Object.fromEntries(keys.map((key) => [key, known.get(key) ?? ''])), null, 2)}\n`;
}

/** The name of a language in itself. `de` → `Deutsch`. */
export function languageName(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language', fallback: 'code' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}
