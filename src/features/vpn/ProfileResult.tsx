import type { ResultViewProps } from '../../engine/form/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner, Button, QrCode, saveText } from '../../ui/index.ts';
import styles from './vpn.module.css';

/** What a scanner reads in one code; the profiles of OpenVPN are longer. */
const MOST_CHARACTERS = 1200;

/** The profile of a client, shown once: as a file, and as a QR code for phones. */
export default function ProfileResult({ result, close }: ResultViewProps) {
  const t = useT();
  // The answer of this form's route.
  const { name, text } = result.data as unknown as { name: string; text: string };
  return (
    <div className={styles.page}>
      <Banner kind="warn">{t('vpn.once')}</Banner>
      {text.length <= MOST_CHARACTERS ? (
        <div className={styles.scan}>
          <QrCode text={text} label={t('vpn.qr')} />
          <p>{t('vpn.qr_hint')}</p>
        </div>
      ) : null}
      <div className={styles.buttons}>
        <Button variant="primary" onClick={() => saveText(text, name, 'text/plain')}>
          {t('vpn.download', { name })}
        </Button>
        <Button onClick={close}>{t('vpn.close')}</Button>
      </div>
    </div>
  );
}
