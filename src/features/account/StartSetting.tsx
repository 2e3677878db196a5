import { useId } from 'react';
import { storeSetting, useKept } from '../../engine/table/stored-setting.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useUser } from '../../kernel/session/index.ts';
import { Select } from '../../ui/index.ts';
import styles from './SettingsPage.module.css';

const START_PAGE = 'start_page';
const PAGES = ['last', 'home', 'devices'] as const;

/** Where the console opens after signing in; as the role says until the user chooses. */
export function StartSetting() {
  const t = useT();
  const id = useId();
  const user = useUser();
  const kept = useKept(START_PAGE);
  return (
    <div className={styles.row}>
      <label htmlFor={id} className={styles.label}>
        {t('account.startPage')}
      </label>
      <Select
        id={id}
        value={PAGES.find((page) => page === kept) ?? user.start_page}
        choices={PAGES.map((page) => ({ value: page, label: t(`values.role.start_page.${page}`) }))}
        onChange={(page) => void storeSetting(START_PAGE, page)}
      />
    </div>
  );
}
