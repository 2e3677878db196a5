import { itemText } from '../../engine/form/item-text.ts';
import type { ResultViewProps } from '../../engine/form/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner, Button } from '../../ui/index.ts';
import styles from './history.module.css';

/** After undoing: how many records are as before, and which are not, with the reason. */
export default function UndoneView({ result, close }: ResultViewProps) {
  const t = useT();
  const errors = result.errors ?? [];
  const count = Array.isArray(result.data) ? result.data.length : 0;
  return (
    <div className={styles.undone}>
      <Banner kind={errors.length > 0 ? 'warn' : 'info'}>{t('history.undoneOf', { count })}</Banner>
      {errors.length > 0 ? (
        <>
          <h3>{t('history.notUndone')}</h3>
          <ul>
            {errors.map((item) => (
              <li key={`${item.source}${item.code}`}>
                <strong>{String(item.params?.['record'] ?? '')}</strong> — {itemText(item)}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      <Button variant="primary" className={styles.done} onClick={close}>
        {t('history.close')}
      </Button>
    </div>
  );
}
