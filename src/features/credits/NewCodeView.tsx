import type { ResultViewProps } from '../../engine/form/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner, Button, CopyField } from '../../ui/index.ts';
import styles from './credits.module.css';

function readCode(data: unknown): string {
  return typeof data === 'object' && data !== null && 'code' in data && typeof data.code === 'string' ? data.code : '';
}

/** The new code, which the server shows only once. */
export default function NewCodeView({ result, close }: ResultViewProps) {
  const t = useT();
  return (
    <div className={styles.view}>
      <Banner kind="warn">{t('account.token.text')}</Banner>
      <CopyField label={t('fields.code')} value={readCode(result.data)} />
      <Button variant="primary" className={styles.done} onClick={close}>
        {t('account.token.done')}
      </Button>
    </div>
  );
}
