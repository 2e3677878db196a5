import type { I18nProvider } from '@refinedev/core';
import { allLanguages, changeLanguage, currentLanguage, hasText, translate } from '../../kernel/i18n/index.ts';

/** Refine's texts from ours; where we have none, Refine's own default is used. */
export const i18nProvider: I18nProvider = {
  translate: (key: string, options?: unknown, fallback?: string) => {
    if (hasText(key)) return translate(key, typeof options === 'object' && options !== null ? { ...options } : {});
    return fallback ?? (typeof options === 'string' ? options : key);
  },
  changeLocale: async (locale: string) => {
    const language = allLanguages().find(({ code }) => code === locale);
    if (language) await changeLanguage(language.code);
  },
  getLocale: currentLanguage,
};
