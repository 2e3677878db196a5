/** The languages of the console, each under its own name. */
export const LANGUAGES = [
  { code: 'en', name: 'English' },
  { code: 'nb', name: 'Norsk bokmål' },
  { code: 'ja', name: '日本語' },
  { code: 'uk', name: 'Українська' },
] as const;

export type Language = (typeof LANGUAGES)[number]['code'];

/** Our language for a BCP 47 tag (`nb-NO`, `no`, `nn` → `nb`), or `undefined` when we do not speak it. */
export function findLanguage(tag: string | undefined): Language | undefined {
  const base = tag?.toLowerCase().split(/[-_]/)[0];
  const own = base === 'no' || base === 'nn' ? 'nb' : base;
  return LANGUAGES.find((language) => language.code === own)?.code;
}

/** The first of the wished languages that we speak, else English (docs/behaviour.md section 9). */
export function chooseLanguage(wished: readonly (string | undefined)[]): Language {
  for (const tag of wished) {
    const found = findLanguage(tag);
    if (found) return found;
  }
  return 'en';
}
