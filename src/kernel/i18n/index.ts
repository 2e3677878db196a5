import dayjs from 'dayjs';
import i18next, { type FormatterModule } from 'i18next';
import { useCallback } from 'react';
import { initReactI18next, useTranslation } from 'react-i18next';
import type { Text } from '../../../schemas/kit/types.ts';
import { readCookie, writeCookie } from '../cookies.ts';
import { chooseLanguage, findLanguage, type Language } from './languages.ts';
import type { Messages } from './messages.ts';

export { LANGUAGES, type Language } from './languages.ts';

export type Translate = (key: string, params?: Record<string, unknown>) => string;

/** Numbers in texts are written as the language writes them. */
const localFormats: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: unknown, _format, language) => (typeof value === 'number' ? formatNumber(value, language) : String(value ?? '')),
};

const COOKIE = 'canopy_language';
const loaders: Record<Language, () => Promise<{ messages: Messages }>> = {
  en: () => import('../../locales/en.ts'),
  nb: () => import('../../locales/nb.ts'),
  ja: () => import('../../locales/ja.ts'),
  uk: () => import('../../locales/uk.ts'),
};

/** The language to start in: the user's choice (cookie), else the browser's wishes, else English. */
export function startLanguage(): Language {
  return chooseLanguage([readCookie(COOKIE), ...navigator.languages]);
}

/** Loads a language and starts the texts; call once, before anything is drawn. */
export async function startI18n(language: Language = startLanguage()): Promise<void> {
  const { messages } = await loaders[language]();
  await i18next
    .use(initReactI18next)
    .use(localFormats)
    .init({
      lng: language,
      resources: { [language]: { translation: messages } },
      fallbackLng: false,
      keySeparator: false,
      nsSeparator: false,
      interpolation: {
        prefix: '{',
        suffix: '}',
        // React escapes.
        escapeValue: false,
        alwaysFormat: true,
      },
      react: { useSuspense: false },
    });
  applyLanguage(language);
}

/** Switches texts, dates and `<html lang>` together and remembers the choice. */
export async function changeLanguage(language: Language): Promise<void> {
  const { messages } = await loaders[language]();
  i18next.addResourceBundle(language, 'translation', messages);
  writeCookie(COOKIE, language);
  applyLanguage(language);
  await i18next.changeLanguage(language);
}

function applyLanguage(language: Language): void {
  dayjs.locale(language);
  document.documentElement.lang = language;
}

/** The language that is on screen now. */
export function currentLanguage(): Language {
  return findLanguage(i18next.language) ?? 'en';
}

/** The text of a key, for code outside components. */
export const translate: Translate = (key, params) => i18next.t(key, params ?? {});

/** Whether the present language has a text of this key. */
export function hasText(key: string): boolean {
  return i18next.exists(key);
}

/** `t(key, params)` of the present language; renders again when the language changes. */
export function useT(): Translate {
  const { t } = useTranslation();
  return useCallback<Translate>((key, params) => t(key, params ?? {}), [t]);
}

/** The present language; renders again when it changes. */
export function useLanguage(): Language {
  return findLanguage(useTranslation().i18n.language) ?? 'en';
}

/** The text of a contract's `Text` (a key, or a map by language with English as the fallback). */
export function textOf(text: Text | undefined): string {
  if (text === undefined) return '';
  return typeof text === 'string' ? translate(text) : (text[currentLanguage()] ?? text.en);
}

/** `textOf` for components; renders again when the language changes. */
export function useText(): (text: Text | undefined) => string {
  const language = useLanguage();
  // The language is the dependency: the function itself reads it from the texts.
  return useCallback((text) => (language ? textOf(text) : ''), [language]);
}

/** A number as the language writes it: 1,204 · 1 204. */
export function formatNumber(value: number, language: string = currentLanguage()): string {
  let format = numberFormats.get(language);
  if (!format) numberFormats.set(language, (format = new Intl.NumberFormat(language)));
  return format.format(value);
}
const numberFormats = new Map<string, Intl.NumberFormat>();
