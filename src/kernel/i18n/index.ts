import dayjs from 'dayjs';
import { createContext, createElement, use, useCallback, useEffect, useState, type ReactNode } from 'react';
import type { Text } from '../../../schemas/kit/types.ts';
import { readCookie, writeCookie } from '../cookies.ts';
import { createStore, useStore } from '../store.ts';
import { chooseLanguage, type Language } from './languages.ts';
import type { Messages } from './messages.ts';

export { LANGUAGES, type Language } from './languages.ts';

export type Translate = (key: string, params?: Record<string, unknown>) => string;

const COOKIE = 'canopy_language';
const loaders: Record<Language, () => Promise<{ messages: Messages }>> = {
  en: () => import('../../locales/en.ts'),
  nb: () => import('../../locales/nb.ts'),
  ja: () => import('../../locales/ja.ts'),
  uk: () => import('../../locales/uk.ts'),
};

/** The texts on screen, and what makes plurals and numbers of their language. */
interface Texts {
  language: Language;
  messages: Messages;
  plurals: Intl.PluralRules;
  translate: Translate;
}
const texts = createStore<Texts>(makeTexts('en', {}));
const ScopeTexts = createContext<Texts | undefined>(undefined);

/** The texts around: those of the console, or of the `LanguageScope` that a component stands in. */
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
    void loaders[language]().then(({ messages }) => isWanted && setOwn(makeTexts(language, messages)));
    return () => void (isWanted = false);
  }, [language]);
  return createElement(ScopeTexts, { value: language === shown.language ? undefined : own }, children);
}

function makeTexts(language: Language, messages: Messages): Texts {
  const own: Texts = {
    language,
    messages,
    plurals: new Intl.PluralRules(language),
    translate: (key, params) => translateIn(own, key, params),
  };
  return own;
}

/** `{name}` in a text becomes `params.name`, numbers as the language writes them; `params.count` chooses `key_one`, `key_other` and so on. An unknown key is its own text. */
function translateIn({ messages, plurals, language }: Texts, key: string, params: Record<string, unknown> | undefined): string {
  const count = params?.['count'];
  const text = (typeof count === 'number' ? messages[`${key}_${plurals.select(count)}`] : undefined) ?? messages[key];
  if (text === undefined || params === undefined) return text ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    return typeof value === 'number' ? formatNumber(value, language) : String(value ?? '');
  });
}

/** The language to start in: the user's choice (cookie), else the browser's wishes, else English. */
export function startLanguage(): Language {
  return chooseLanguage([readCookie(COOKIE), ...navigator.languages]);
}

/** Loads a language and starts the texts; call once, before anything is drawn. */
export async function startI18n(language: Language = startLanguage()): Promise<void> {
  const { messages } = await loaders[language]();
  dayjs.locale(language);
  document.documentElement.lang = language;
  texts.set(makeTexts(language, messages));
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
  return Object.hasOwn(texts.get().messages, key);
}

/** `t(key, params)` of the present language; renders again when the language changes. */
export function useT(): Translate {
  return useTexts().translate;
}

/** The present language; renders again when it changes. */
export function useLanguage(): Language {
  return useTexts().language;
}

function textIn({ language, translate: t }: Texts, text: Text | undefined): string {
  if (text === undefined) return '';
  return typeof text === 'string' ? t(text) : (text[language] ?? text.en);
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
  // All four languages write these alike, and making the first formatter takes longer than drawing a row.
  if (Number.isInteger(value) && value >= 0 && value < 1000) return String(value);
  let format = numberFormats.get(language);
  if (!format) numberFormats.set(language, (format = new Intl.NumberFormat(language)));
  return format.format(value);
}
const numberFormats = new Map<string, Intl.NumberFormat>();
