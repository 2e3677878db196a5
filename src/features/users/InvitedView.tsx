import type { ResultViewProps } from '../../engine/form/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner, Button, CopyField } from '../../ui/index.ts';
import styles from './users.module.css';

function readText(data: unknown, name: string): string {
  const value: unknown = typeof data === 'object' && data !== null ? Object.entries(data).find(([key]) => key === name)?.[1] : undefined;
  return typeof value === 'string' ? value : '';
}

/** After an invitation: that the mail went out, or the link itself, which the server shows only once. */
export default function InvitedView({ result, close }: ResultViewProps) {
  const t = useT();
  const email = readText(result.data, 'email');
  const url = readText(result.data, 'url');
  return (
    <div className={styles.invited}>
      {url ? (
        <>
          <Banner kind="warn">{t('users.invited.link', { email })}</Banner>
          <CopyField label={t('users.invited.title')} value={url} />
        </>
      ) : (
        <Banner kind="info">{t('users.invited.mailed', { email })}</Banner>
      )}
      <Button variant="primary" className={styles.done} onClick={close}>
        {t('account.token.done')}
      </Button>
    </div>
  );
}
