import { useState } from 'react';
import { failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { cancelImpersonation, useUser } from '../../kernel/session/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Banner, Button } from '../../ui/index.ts';
import styles from './Shell.module.css';

/** On whose behalf one acts, always in view, with the way back. */
export function ImpersonationBanner() {
  const t = useT();
  const user = useUser();
  const [isBusy, setBusy] = useState(false);
  if (!user.act) return null;

  const handleCancel = async () => {
    setBusy(true);
    try {
      await cancelImpersonation();
      location.assign('/');
    } catch (error) {
      setBusy(false);
      toasts.error(failureMessage(error));
    }
  };
  return (
    <div className={styles.behalf}>
      <Banner
        kind="warn"
        isWide
        actions={
          <Button size="small" isBusy={isBusy} onClick={() => void handleCancel()}>
            {t('impersonation.cancel')}
          </Button>
        }
      >
        {t('impersonation.banner', { name: user.username, company: user.company_name, id: user.id })}
      </Banner>
    </div>
  );
}
