import dayjs from 'dayjs';
import type { Language } from './languages.ts';

/** Gives dayjs the words and the first weekday of a language; English ones where it does not know the language. */
export async function setTimeWords(language: Language): Promise<void> {
  if (language !== 'en') {
    const { loadTimeWords } = await import('./all-time-words.ts');
    for (const tag of [language.toLowerCase(), language.split('-')[0] ?? '']) {
      if (!(await loadTimeWords(tag))) continue;
      dayjs.locale(tag);
      return;
    }
  }
  dayjs.locale('en');
}
