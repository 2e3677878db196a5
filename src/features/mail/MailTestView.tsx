import type { ResultViewProps } from '../../engine/form/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner, Button } from '../../ui/index.ts';
import styles from './mail.module.css';

function readResult(data: unknown): { isSent: boolean; answer: string } {
  const values = new Map<string, unknown>(typeof data === 'object' && data !== null ? Object.entries(data) : []);
  return { isSent: values.get('is_sent') === true, answer: String(values.get('answer') ?? '') };
}

/** After the test of the mail server: whether it took the mail, and its own words. */
export default function MailTestView({ result, close }: ResultViewProps) {
  const t = useT();
  const { isSent, answer } = readResult(result.data);
  return (
    <div className={styles.body}>
      <Banner kind={isSent ? 'good' : 'bad'} title={isSent ? t('mail.test.sent') : t('mail.test.failed')}>
        {t('mail.test.answer')}
      </Banner>
      <pre className={styles.text}>{answer}</pre>
      <Button variant="primary" className={styles.done} onClick={close}>
        {t('common.close')}
      </Button>
    </div>
  );
}
