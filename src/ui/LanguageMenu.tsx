import { changeLanguage, LANGUAGES, useLanguage, useT } from '../kernel/i18n/index.ts';
import { cx } from './cx.ts';
import { Icon } from './Icon.tsx';
import styles from './LanguageMenu.module.css';

/** Chooses the language; each is written in itself. The system's own list, so that it is light and works everywhere. */
export function LanguageMenu({ hasBorder = false }: { hasBorder?: boolean }) {
  const t = useT();
  const language = useLanguage();
  return (
    <span className={styles.frame}>
      <Icon name="languages" size={14} className={styles.icon} />
      <select
        aria-label={t('account.language')}
        className={cx(styles.select, hasBorder && styles.border)}
        value={language}
        onChange={(event) => {
          const chosen = LANGUAGES.find((one) => one.code === event.target.value);
          if (chosen) void changeLanguage(chosen.code);
        }}
      >
        {LANGUAGES.map(({ code, name }) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={14} className={styles.arrow} />
    </span>
  );
}
