import { createStore } from '../store.ts';

/** The languages that the console ships with, each under its own name. */
export const SHIPPED_LANGUAGES = [
  { code: 'en', name: 'English' },
  { code: 'nb', name: 'Norsk bokmål' },
  { code: 'ja', name: '日本語' },
  { code: 'uk', name: 'Українська' },
] as const;

export type ShippedLanguage = (typeof SHIPPED_LANGUAGES)[number]['code'];
/** The code of a language: one that ships, or one that was added to the installation. */
export type Language = string;

/** A language that people may choose. */
export interface LanguageEntry {
  code: Language;
  /** In the language itself. */
  name: string;
  /** How many of a hundred texts it has; the others are English. */
  percent: number;
}

/** Every language that people may choose, those of the installation among them once their list is here. */
export const languages = createStore<readonly LanguageEntry[]>(SHIPPED_LANGUAGES.map((shipped) => ({ ...shipped, percent: 100 })));

export function isShipped(code: string): code is ShippedLanguage {
  return SHIPPED_LANGUAGES.some((language) => language.code === code);
}

/** The known language of a BCP 47 tag (`nb-NO`, `no`, `nn` → `nb`; `pt-BR` → `pt-BR`, else `pt`), or `undefined` for an unknown one. */
export function findLanguage(tag: string | undefined): Language | undefined {
  const whole = tag?.toLowerCase().replaceAll('_', '-');
  const base = whole?.split('-')[0];
  const requested = [whole, base === 'no' || base === 'nn' ? 'nb' : base];
  for (const code of requested) {
    const found = languages.get().find((language) => language.code.toLowerCase() === code);
    if (found) return found.code;
  }
  return undefined;
}

/** The first known one of the requested languages, else English (docs/behaviour.md section 9). */
export function chooseLanguage(requested: readonly (string | undefined)[]): Language {
  for (const tag of requested) {
    const found = findLanguage(tag);
    if (found) return found;
  }
  return 'en';
}
