import { openForm } from '../../engine/form/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { loadUser, markAuthenticated, useUser } from '../../kernel/session/index.ts';
import { formatTime, parseWire } from '../../kernel/time/index.ts';
import { Button, Card } from '../../ui/index.ts';
import styles from './SettingsPage.module.css';

/** Until when others may impersonate the user, and the way to withdraw that. */
export function ConsentCard() {
  const t = useT();
  const limit = parseWire(useUser().impersonation_access_limit);
  const open = async (form: string) => {
    if (!(await openForm(form))) return;
    await loadUser();
    markAuthenticated();
  };
  return (
    <Card title={t('impersonation.title')}>
      <div className={styles.programs}>
        <p className={styles.hint}>
          {limit === undefined ? t('impersonation.nobody') : t('impersonation.until', { time: formatTime(limit, 'YYYY-MM-DD HH:mm') })}
        </p>
        {limit === undefined ? null : (
          <div className={styles.buttons}>
            <Button onClick={() => void open('impersonation/allow')}>{t('forms.impersonation.allow.title')}</Button>
            <Button variant="danger" onClick={() => void open('impersonation/revoke')}>
              {t('forms.impersonation.revoke.submit')}
            </Button>
          </div>
        )}
      </div>
    </Card>
  );
}
