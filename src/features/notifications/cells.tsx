import { Link } from 'react-router';
import { useLanguage, useT } from '../../kernel/i18n/index.ts';
import { cx } from '../../ui/index.ts';
import type { CellProps } from '../../engine/resources/registry.ts';
import styles from './notifications.module.css';
import { isNotification, sentenceOf } from './sentence.ts';

const MAX_TYPES = 3;

/** The sentence, leading to what it is about, and how often it happened. */
export function NotificationCell({ row }: CellProps) {
  const t = useT();
  const language = useLanguage();
  const notification: unknown = row;
  if (!isNotification(notification)) return null;
  return (
    <span className={styles.cell}>
      <Link to={notification.link} className={cx(styles.cellLink, notification.seen_at === null && styles.unseen)}>
        {sentenceOf(notification, language)}
      </Link>
      <Times count={notification.count} name={notification.subject_name} />
      {notification.seen_at === null ? <span className={styles.mark}>{t('notifications.new')}</span> : null}
    </span>
  );
}

/** How often it happened while nobody looked; a sentence that counts says it itself. */
export function Times({ count, name }: { count: number; name: string }) {
  return count > 1 && name !== '' ? <span className={styles.times}>{`×${count}`}</span> : null;
}

/** The company that a rule is for. */
export function RulePlaceCell({ value, link }: CellProps) {
  const t = useT();
  return link(typeof value === 'string' ? value : t('notifications.everywhere'));
}

/** Types of notification by their names. */
export function NotificationTypesCell({ value }: CellProps) {
  const t = useT();
  const types = Array.isArray(value) ? value.map((type) => t(`values.notification.type.${String(type)}`)) : [];
  const rest = types.length - MAX_TYPES;
  if (types.length === 0) return <span className={styles.quiet}>{t('notifications.nothing')}</span>;
  return (
    <span title={types.join('\n')}>
      {types.slice(0, MAX_TYPES).join(', ')}
      {rest > 0 ? ` ${t('users.more', { count: rest })}` : ''}
    </span>
  );
}
