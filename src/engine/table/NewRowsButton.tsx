import { useT } from '../../kernel/i18n/index.ts';
import { FloatingRowsButton } from '../../ui/index.ts';

/** "5 new": records that came after the load wait behind it, so that nothing moves under the pointer. */
export function NewRowsButton({ count, onShow }: { count: number; onShow: () => void }) {
  const t = useT();
  return count > 0 ? <FloatingRowsButton onClick={onShow}>{t('table.newRows', { count })}</FloatingRowsButton> : null;
}
