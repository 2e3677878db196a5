import { itemText } from '../../engine/form/item-text.ts';
import type { ResultViewProps } from '../../engine/form/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner, Button } from '../../ui/index.ts';
import styles from './device-passwords.module.css';

/** After a file of passwords: how many devices get one, and which lines were left out and why. */
export default function UploadedView({ result, close }: ResultViewProps) {
  const t = useT();
  const errors = result.errors ?? [];
  const count = Array.isArray(result.data) ? result.data.length : 0;
  return (
    <div className={styles.view}>
      <Banner kind={errors.length > 0 ? 'warn' : 'info'}>{t('device-passwords.uploaded', { count })}</Banner>
      {errors.length > 0 ? (
        <section>
          <h3>{t('device-passwords.left_out')}</h3>
          <ul className={styles.faults}>
            {errors.map((item) => (
              <li key={`${item.source}${item.code}`}>{itemText(item)}</li>
            ))}
          </ul>
        </section>
      ) : null}
      <Button variant="primary" className={styles.done} onClick={close}>
        {t('device-passwords.close')}
      </Button>
    </div>
  );
}
