import { DialogWindow } from '../../engine/dialogs/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useToastHistory } from '../../kernel/toasts/index.ts';
import { EmptyState, Icon, RelativeTime, TOAST_ICONS } from '../../ui/index.ts';
import styles from './MessageHistory.module.css';
import type { DialogHandle } from '../../engine/dialogs/index.ts';

/** Everything that toasts said since the page was loaded, newest first. */
export default function MessageHistory({ dialog }: { dialog: DialogHandle<undefined> }) {
  const t = useT();
  const history = useToastHistory();
  return (
    <DialogWindow dialog={dialog} title={t('toasts.history')}>
      {history.length === 0 ? (
        <EmptyState icon="inbox" title={t('toasts.history.empty')} />
      ) : (
        <ul className={styles.list}>
          {history.map((toast) => (
            <li key={toast.id} className={styles.row} data-type={toast.type}>
              <Icon name={TOAST_ICONS[toast.type]} className={styles.icon} />
              <span className="visually-hidden">{t(`toasts.type.${toast.type}`)}</span>
              <span className={styles.text}>{toast.message}</span>
              <RelativeTime time={toast.at} saysAgo />
            </li>
          ))}
        </ul>
      )}
    </DialogWindow>
  );
}
