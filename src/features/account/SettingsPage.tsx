import { useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { failureMessage } from '../../kernel/http/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { useShortcutsSetting } from '../../kernel/shortcuts.ts';
import { changeThemeMode, useThemeMode, type ThemeMode } from '../../kernel/theme/mode.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button, Card, Checkbox, LanguageMenu, PageHeader, Segmented } from '../../ui/index.ts';
import { ConsentCard } from './ConsentCard.tsx';
import { ProfileCard } from './ProfileCard.tsx';
import { SecondFactorCard } from './SecondFactorCard.tsx';
import { SessionsCard } from './SessionsCard.tsx';
import styles from './SettingsPage.module.css';
import { OffPromptsCard } from './OffPromptsCard.tsx';
import { StartSetting } from './StartSetting.tsx';
import { TimezoneSetting } from './TimezoneSetting.tsx';

/** The user's own settings. */
export function SettingsPage() {
  const t = useT();
  const can = useCan();
  return (
    <>
      <PageHeader title={t('account.settings')} />
      <div className={styles.page}>
        <ProfileCard />
        <Card title={t('account.preferences')}>
          <div className={styles.rows}>
            <LookSettings />
            <TimezoneSetting />
            <StartSetting />
            <ShortcutsSetting />
          </div>
        </Card>
        <SecondFactorCard />
        <SessionsCard />
        <ConsentCard />
        <OffPromptsCard />
        {can('view_access_tokens') ? (
          <Card title={t('account.programs')}>
            <div className={styles.programs}>
              <p className={styles.hint}>{t('account.programsText')}</p>
              <Button icon="key-square" to="/account/access-tokens">
                {t('account.accessTokens')}
              </Button>
            </div>
          </Card>
        ) : null}
      </div>
    </>
  );
}

function LookSettings() {
  const t = useT();
  const mode = useThemeMode();
  return (
    <>
      <div className={styles.row}>
        <span className={styles.label}>{t('account.language')}</span>
        <LanguageMenu hasBorder />
      </div>
      <div className={styles.row}>
        <span className={styles.label}>{t('account.darkMode')}</span>
        <Segmented<ThemeMode>
          label={t('account.darkMode')}
          value={mode}
          onChange={changeThemeMode}
          options={[
            { value: 'auto', label: t('account.darkMode.auto'), icon: 'monitor' },
            { value: 'on', label: t('account.darkMode.on'), icon: 'moon' },
            { value: 'off', label: t('account.darkMode.off'), icon: 'sun' },
          ]}
        />
      </div>
    </>
  );
}

function ShortcutsSetting() {
  const t = useT();
  const [isOn, setOn] = useShortcutsSetting();
  // What was chosen shows at once, and goes back when it could not be kept.
  const [chosen, setChosen] = useState<boolean>();
  const handleChange = async (next: boolean) => {
    setChosen(next);
    try {
      await setOn(next);
    } catch (error) {
      toasts.error(failureMessage(error, { fallback: t('account.notKept') }));
    } finally {
      setChosen(undefined);
    }
  };
  return (
    <div className={styles.row}>
      <span className={styles.label}>{t('account.shortcuts')}</span>
      <div>
        <Checkbox checked={chosen ?? isOn} onChange={(event) => void handleChange(event.target.checked)}>
          {t('account.shortcutsOn')}
        </Checkbox>
        <p className={styles.hint}>{t('account.shortcutsHint')}</p>
      </div>
    </div>
  );
}
