import type { ResultViewProps } from '../../engine/form/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner, Button, CopyField } from '../../ui/index.ts';
import styles from './NewTokenView.module.css';

function textAt(data: unknown, name: string): string {
  const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
  return typeof value === 'string' ? value : '';
}

/** What an application needs to know of itself; the server says its secret this once only. */
export default function NewSecretView({ result, close }: ResultViewProps) {
  const t = useT();
  const secret = textAt(result.data, 'client_secret');
  return (
    <div className={styles.view}>
      {secret ? <Banner kind="warn">{t('account.application.text')}</Banner> : null}
      <CopyField label={t('account.application.id')} value={textAt(result.data, 'client_id')} />
      {secret ? <CopyField label={t('account.application.secret')} value={secret} /> : null}
      <CopyField label={t('account.application.authorize')} value={`${location.origin}/account/authorize`} />
      <CopyField label={t('account.application.token')} value={`${location.origin}/account/token`} />
      <Button variant="primary" className={styles.done} onClick={close}>
        {t('account.token.done')}
      </Button>
    </div>
  );
}
