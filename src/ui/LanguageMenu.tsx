import { changeLanguage, languageLabel, useLanguage, useLanguages, useT } from '../kernel/i18n/index.ts';
import { Select } from './Select.tsx';
import styles from './LanguageMenu.module.css';

/** Chooses the language; each is written in itself. */
export function LanguageMenu({ hasBorder = false }: { hasBorder?: boolean }) {
  const t = useT();
  const language = useLanguage();
  const languages = useLanguages();
  return (
    <span className={styles.frame}>
      <Select
        aria-label={t('account.language')}
        icon="languages"
        isPlain={!hasBorder}
        value={language}
        choices={languages.map((entry) => ({ value: entry.code, label: languageLabel(entry), lang: entry.code }))}
        onChange={(code) => void changeLanguage(code)}
      />
    </span>
  );
}
