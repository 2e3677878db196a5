import { useT } from '../../kernel/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import styles from '../../ui/table/ListPage.module.css';

/** "5 new": records that came after the load wait behind it, so that nothing moves under the pointer. */
export function NewRowsButton({ count, onShow }: { count: number; onShow: () => void }) {
  const t = useT();
  return count > 0 ? (
    <Button className={styles.fresh} size="small" icon="arrow-up" onClick={onShow}>
      {t('table.newRows', { count })}
    </Button>
  ) : null;
}
