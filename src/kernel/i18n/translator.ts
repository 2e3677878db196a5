import { createInstance } from 'i18next';
import { formatNumber } from './numbers.ts';
import { isShipped, type Language } from './languages.ts';

/** The namespace of what an installation has added to a language; it comes before the shipped texts. */
const ADDED = 'added';
const PLURAL = /_(zero|one|two|few|many|other)$/;

const engine = createInstance();
void engine.init({
  initAsync: false,
  // Which languages are asked is said at each text, because parts of a page may be in another one.
  fallbackLng: false,
  lng: 'en',
  resources: {},
  keySeparator: false,
  nsSeparator: false,
  ignoreJSONStructure: false,
  // React writes texts, not markup.
  interpolation: { prefix: '{', suffix: '}', escapeValue: false },
  missingInterpolationHandler: () => '',
});

/** The file of each key, plural keys also without their form. */
const namespaces = new Map<string, string>();

/** Texts without parameters that were asked for before, by language and key: a list asks for the same few hundreds of times. */
const plain = new Map<Language, Map<string, string>>();

/** Adds the texts of a file in one language. */
export function addTexts(language: Language, namespace: string, texts: Readonly<Record<string, string>>): void {
  for (const key of Object.keys(texts)) {
    namespaces.set(key, namespace);
    namespaces.set(key.replace(PLURAL, ''), namespace);
  }
  engine.addResourceBundle(language, namespace, texts, false, true, { silent: true, skipCopy: true });
  plain.clear();
}

/** Sets what the installation has added to a language, in place of what it had added before. */
export function setAddedTexts(language: Language, texts: Readonly<Record<string, string>>): void {
  engine.removeResourceBundle(language, ADDED);
  engine.addResourceBundle(language, ADDED, texts, false, true, { silent: true, skipCopy: true });
  plain.clear();
}

export function hasTexts(language: Language, namespace: string): boolean {
  return engine.hasResourceBundle(language, namespace);
}

function placeOf(language: Language, key: string): { lngs: string[]; ns: string | string[] } | undefined {
  const namespace = namespaces.get(key);
  if (namespace === undefined) return undefined;
  const lngs = isShipped(language) ? [language] : [language, 'en'];
  return { lngs, ns: engine.hasResourceBundle(language, ADDED) ? [ADDED, namespace] : namespace };
}

/** Whether there is a text of exactly this key. */
export function hasTextIn(language: Language, key: string): boolean {
  const place = placeOf(language, key);
  return place !== undefined && engine.exists(key, place);
}

/**
 * `{name}` in a text becomes `params.name`, numbers as the language writes them; `params.count` chooses `key_one`, `key_other` and so on.
 * An unknown key is its own text.
 */
export function translateIn(language: Language, key: string, params?: Readonly<Record<string, unknown>>): string {
  if (params !== undefined) return translateAnew(language, key, params);
  const known = plain.get(language)?.get(key);
  if (known !== undefined) return known;
  const text = translateAnew(language, key, undefined);
  plain.set(language, (plain.get(language) ?? new Map<string, string>()).set(key, text));
  return text;
}

function translateAnew(language: Language, key: string, params: Readonly<Record<string, unknown>> | undefined): string {
  const place = placeOf(language, key);
  if (!place) return key;
  if (params === undefined) return engine.t(key, { ...place, skipInterpolation: true });
  const { count } = params;
  // In a member of their own, because many names mean something to i18next.
  return engine.t(key, { ...place, ...(typeof count === 'number' ? { count } : {}), nest: false, replace: asWords(language, params) });
}

function asWords(language: Language, params: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === 'number' ? formatNumber(value, language) : String(value ?? '')]),
  );
}

/** What `<Trans>` of react-i18next needs for a text. */
export function transOf(language: Language, key: string, params: Readonly<Record<string, unknown>>) {
  const { lngs, ns } = placeOf(language, key) ?? { lngs: [language], ns: ADDED };
  return { i18n: engine, t: engine.getFixedT(lngs, ns), values: asWords(language, params) };
}
