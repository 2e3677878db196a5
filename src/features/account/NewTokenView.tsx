import type { ResultViewProps } from '../../engine/form/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner, Button, CopyField } from '../../ui/index.ts';
import styles from './NewTokenView.module.css';

/** The new access token, which the server shows only once. */
export default function NewTokenView({ result, close }: ResultViewProps) {
  const t = useT();
  return (
    <div className={styles.view}>
      <Banner kind="warn">{t('account.token.text')}</Banner>
      <CopyField label={t('account.token.title')} value={readToken(result.data)} />
      <Button variant="primary" className={styles.done} onClick={close}>
        {t('account.token.done')}
      </Button>
    </div>
  );
}

function readToken(data: unknown): string {
  return typeof data === 'object' && data !== null && 'token' in data && typeof data.token === 'string' ? data.token : '';
}
