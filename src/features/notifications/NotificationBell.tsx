import { useState } from 'react';
import { Link } from 'react-router';
import { failureMessage } from '../../kernel/http/index.ts';
import { useLanguage, useT } from '../../kernel/i18n/index.ts';
import { useCan, useUser } from '../../kernel/session/index.ts';
import { buyLinkOf, useTheme } from '../../kernel/theme/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { cx, HeaderPopover, RelativeTime, Skeleton } from '../../ui/index.ts';
import { Times } from './cells.tsx';
import { markSeen, seenElsewhere, type Notification } from './notification-api.ts';
import styles from './notifications.module.css';
import { sentenceOf } from './sentence.ts';
import { useNotifications } from './use-notifications.ts';

/** The bell of the header: how many are new, and the newest ones. They become seen when it closes (docs/behaviour.md section 4, Notification). */
export default function NotificationBell() {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const { unseen, newest } = useNotifications(isOpen);

  const close = () => {
    setOpen(false);
    const ids = (newest.data?.data ?? []).filter((one) => one.seen_at === null).map((one) => one.id);
    if (ids.length === 0) return;
    markSeen(ids)
      .catch((error: unknown) => toasts.error(failureMessage(error, { fallback: t('notifications.notMarked') })))
      .finally(() => seenElsewhere.emit('seen', undefined));
  };
  return (
    <HeaderPopover
      icon="bell"
      title={t('notifications.title')}
      label={unseen > 0 ? t('notifications.bellUnseen', { count: unseen }) : t('notifications.bell')}
      count={unseen}
      isOpen={isOpen}
      onOpen={() => setOpen(true)}
      onClose={close}
    >
      <div className={styles.list} aria-busy={newest.isPending}>
        {newest.isPending ? <Waiting /> : <Newest error={newest.error} items={newest.data?.data ?? []} onGo={close} />}
      </div>
      <Link to="/notifications" className={styles.all} onClick={close}>
        {t('notifications.all')}
      </Link>
    </HeaderPopover>
  );
}

function Waiting() {
  return (
    <div className={styles.waiting}>
      <Skeleton />
      <Skeleton width="80%" />
      <Skeleton width="60%" />
    </div>
  );
}

function Newest({ error, items, onGo }: { error: unknown; items: readonly Notification[]; onGo(): void }) {
  const t = useT();
  if (error) return <p className={styles.note}>{failureMessage(error, { fallback: t('notifications.failed') })}</p>;
  if (items.length === 0) return <p className={styles.note}>{t('notifications.none')}</p>;
  return (
    <ul>
      {items.map((item) => (
        <Item key={item.id} item={item} onGo={onGo} />
      ))}
    </ul>
  );
}

function Item({ item, onGo }: { item: Notification; onGo(): void }) {
  const t = useT();
  const language = useLanguage();
  return (
    <li className={cx(styles.item, item.seen_at === null && styles.isNew)}>
      <Link to={item.link} className={styles.sentence} onClick={onGo}>
        {sentenceOf(item, language)}
      </Link>
      <span className={styles.facts}>
        {item.seen_at === null ? <span className="visually-hidden">{t('notifications.new')}</span> : null}
        <Times count={item.count} name={item.subject_name} />
        <span>{item.company_name}</span>
        <RelativeTime time={item.updated_at} saysAgo />
      </span>
      {item.type === 'creditAmountTooLow' ? <MoreResources onGo={onGo} /> : null}
    </li>
  );
}

/** Where more is bought, or, where nothing is sold, what there is. */
function MoreResources({ onGo }: { onGo(): void }) {
  const t = useT();
  const can = useCan();
  const buyLink = buyLinkOf(useTheme(), useUser());
  const words = t('notifications.moreResources');
  if (buyLink)
    return (
      <a href={buyLink} target="_blank" rel="noopener noreferrer" className={styles.more} onClick={onGo}>
        {words}
      </a>
    );
  return can('view_credits') ? (
    <Link to="/resources" className={styles.more} onClick={onGo}>
      {words}
    </Link>
  ) : null;
}
