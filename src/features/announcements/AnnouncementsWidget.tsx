import { useCustom, useCustomMutation } from '@refinedev/core';
import { useEffect, useState } from 'react';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { live } from '../../kernel/socket/index.ts';
import { formatTime, MINUTE, parseWire } from '../../kernel/time/index.ts';
import { HeaderPopover } from '../../ui/index.ts';
import styles from './announcements.module.css';
import { SafeHtml } from './SafeHtml.tsx';

interface OwnAnnouncement {
  id: number;
  type: 'info' | 'warning' | 'maintenance';
  summary: string;
  ends_at: string | null;
  dismissed_at: string | null;
}

/** Periods begin and end without a word from the server. */
const LOOK_EVERY = 5 * MINUTE;

/** Announcements; not there while there are none. The number goes once it was opened (docs/behaviour.md section 4, Announcement). */
export default function AnnouncementsWidget() {
  const t = useT();
  const { mutate } = useCustomMutation();
  const [isOpen, setOpen] = useState(false);
  const { query } = useCustom<OwnAnnouncement[], ApiError>({
    url: '/announcements',
    method: 'get',
    meta: { survivesRouteChange: true },
    queryOptions: { refetchInterval: LOOK_EVERY },
    errorNotification: false,
  });
  const { refetch } = query;
  const items = query.data?.data ?? [];
  useEffect(() => {
    const reload = () => void refetch();
    return live.follow('announcements', { onEvent: reload, onFollowed: reload });
  }, [refetch]);
  const fresh = items.filter((item) => item.dismissed_at === null).map((item) => item.id);

  const handleOpen = () => {
    setOpen(true);
    if (fresh.length === 0) return;
    // One that could not be kept is marked once more the next time.
    mutate({ url: '/announcements', method: 'put', values: { id: fresh }, errorNotification: false }, { onSuccess: () => void refetch() });
  };
  if (items.length === 0) return null;
  return (
    <HeaderPopover
      icon="info"
      title={t('announcements.title')}
      label={fresh.length > 0 ? t('announcements.titleNew', { count: fresh.length }) : t('announcements.title')}
      count={fresh.length}
      isOpen={isOpen}
      onOpen={handleOpen}
      onClose={() => setOpen(false)}
    >
      {/* Focusable, so that it can be scrolled with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ul className={styles.list} tabIndex={0} aria-label={t('announcements.title')}>
        {items.map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </ul>
    </HeaderPopover>
  );
}

function Item({ item }: { item: OwnAnnouncement }) {
  const t = useT();
  const type = t(`values.announcement.type.${item.type}`);
  const until = parseWire(item.ends_at);
  return (
    <li className={styles.item} data-type={item.type}>
      <span className={styles.type}>
        {until === undefined ? type : t('announcements.until', { type, time: formatTime(until, 'YYYY-MM-DD HH:mm') })}
      </span>
      <div className={styles.text}>
        <SafeHtml html={item.summary} />
      </div>
    </li>
  );
}
