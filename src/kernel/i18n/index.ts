import { createContext, createElement, use, useCallback, useEffect, useState, type ReactNode } from 'react';
import type { Text } from '../../../schemas/kit/form/types.ts';
import { readCookie, writeCookie } from '../cookies.ts';
import { createStore, useStore } from '../store.ts';
import { loadAdded, loadLanguageList } from './added.ts';
import { setTimeWords } from './time-words.ts';
import { chooseLanguage, languages, type Language, type LanguageEntry } from './languages.ts';
import { loadWanted, namesOfTexts, want } from './load-texts.ts';
import { formatNumber as formatNumberIn } from './numbers.ts';
import { hasTextIn, translateIn } from './translator.ts';

export { isShipped, SHIPPED_LANGUAGES, type Language, type LanguageEntry, type ShippedLanguage } from './languages.ts';

export type Translate = (key: string, params?: Record<string, unknown>) => string;

const COOKIE = 'canopy_language';

/** The texts of a language, as components use them. */
interface Texts {
  language: Language;
  translate: Translate;
}
const texts = createStore<Texts>(makeTexts('en'));
/** Until the language that was asked for last is on screen. */
let starting: Promise<void> = Promise.resolve();
const ScopeTexts = createContext<Texts | undefined>(undefined);

function makeTexts(language: Language): Texts {
  return { language, translate: (key, params) => translateIn(language, key, params) };
}

/** The texts around: those of the console, or of the `LanguageScope` that a component is in. */
function useTexts(): Texts {
  const shown = useStore(texts);
  return use(ScopeTexts) ?? shown;
}

/** A part of the page in a language of its own, for previews; in the console's until that is loaded. */
export function LanguageScope({ language, children }: { language: Language; children: ReactNode }) {
  const shown = useStore(texts);
  const [own, setOwn] = useState<Texts>();
  useEffect(() => {
    let isWanted = true;
    void loadLanguage(language).then(() => isWanted && setOwn(makeTexts(language)));
    return () => void (isWanted = false);
  }, [language]);
  return createElement(ScopeTexts, { value: language === shown.language ? undefined : own }, children);
}

async function loadLanguage(language: Language): Promise<void> {
  await Promise.all([loadWanted(language), loadAdded(language)]);
}

/** Loads files of texts, such as a room's, in the language on screen; later languages come with them. Await it before anything that shows them is drawn. */
export async function loadTexts(...names: readonly string[]): Promise<void> {
  want(names);
  // Before that it is not known which language will be on screen.
  await starting;
  await loadWanted(texts.get().language);
}

/** Loads the texts of all forms that ship, for what lists forms. */
export async function loadFormTexts(): Promise<void> {
  await loadTexts(...(await namesOfTexts()).filter((name) => name.startsWith('forms-')));
}

/** Makes a loader of code load the texts that the code shows beside it. `withTexts(['jobs'], () => import('./JobDialog.tsx'))`. */
export function withTexts<T>(names: readonly string[], load: () => Promise<T>): () => Promise<T> {
  return async () => {
    const [code] = await Promise.all([load(), loadTexts(...names)]);
    return code;
  };
}

/** The language to start in: the user's choice (cookie), else the languages of the browser, else English. */
export function startLanguage(): Language {
  return chooseLanguage([readCookie(COOKIE), ...navigator.languages]);
}

/** Loads a language and starts the texts; call once, before anything is drawn. */
export function startI18n(requested?: Language): Promise<void> {
  const started = startLanguageOf(requested);
  starting = started.catch(() => undefined);
  return started;
}

async function startLanguageOf(requested: Language | undefined): Promise<void> {
  // Most people read a language that ships: its texts are not held up by the list of others.
  const early = loadWanted(requested ?? startLanguage());
  await loadLanguageList();
  const language = requested ?? startLanguage();
  await Promise.all([early, loadLanguage(language), setTimeWords(language)]);
  document.documentElement.lang = language;
  texts.set(makeTexts(language));
}

/** Switches texts, dates and `<html lang>` together and remembers the choice. */
export async function changeLanguage(language: Language): Promise<void> {
  await startI18n(language);
  writeCookie(COOKIE, language);
}

/** The language that is on screen now. */
export function currentLanguage(): Language {
  return texts.get().language;
}

/** The text of a key, for code outside components. */
export const translate: Translate = (key, params) => texts.get().translate(key, params);

/** Whether the present language has a text of this key. */
export function hasText(key: string): boolean {
  return hasTextIn(texts.get().language, key);
}

/** `t(key, params)` of the present language; renders again when the language changes. */
export function useT(): Translate {
  return useTexts().translate;
}

/** The present language; renders again when it changes. */
export function useLanguage(): Language {
  return useTexts().language;
}

/** Every language that people may choose, for code outside components and for what is made when it is opened. */
export const allLanguages = (): readonly LanguageEntry[] => languages.get();

/** A language as menus show it: its own name, and how complete it is when it is not. */
export function languageLabel({ name, percent }: LanguageEntry): string {
  return percent === 100 ? name : translate('account.languagePart', { name, percent });
}

/** `allLanguages` for components; renders again when the list comes. */
export function useLanguages(): readonly LanguageEntry[] {
  return useStore(languages);
}

function textIn({ language, translate: t }: Texts, text: Text | undefined): string {
  if (text === undefined) return '';
  if (typeof text === 'string') return t(text);
  const byLanguage: Readonly<Record<string, string | undefined>> = text;
  return (Object.hasOwn(byLanguage, language) ? byLanguage[language] : undefined) ?? text.en;
}

/** The text of a contract's `Text` (a key, or a map by language with English as the fallback). */
export function textOf(text: Text | undefined): string {
  return textIn(texts.get(), text);
}

/** `textOf` for components; renders again when the language changes. */
export function useText(): (text: Text | undefined) => string {
  const shown = useTexts();
  return useCallback((text) => textIn(shown, text), [shown]);
}

/** A number as the language writes it: 1,204 · 1 204. */
export function formatNumber(value: number, language: string = currentLanguage()): string {
  return formatNumberIn(value, language);
}
