import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { formatTime, MINUTE, parseWire } from '../../kernel/time/index.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { Popover } from '../../ui/Popover.tsx';
import styles from './announcements.module.css';
import { SafeHtml } from './SafeHtml.tsx';

interface OwnAnnouncement {
  id: number;
  type: 'info' | 'warning' | 'maintenance';
  summary: string;
  ends_at: string | null;
  dismissed_at: string | null;
}

const KEY = ['announcements'];
const LOOK_EVERY = 5 * MINUTE;

/** What the system tells everybody; not there while it tells nothing. The number goes once it was opened (docs/behaviour.md section 4, Announcement). */
export default function AnnouncementsWidget() {
  const t = useT();
  const client = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { data: items = [] } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await api.get<OwnAnnouncement[]>('/announcements', { signal, survivesRouteChange: true })).data,
    refetchInterval: LOOK_EVERY,
  });
  const fresh = items.filter((item) => item.dismissed_at === null).map((item) => item.id);

  const handleOpen = () => {
    setOpen(!isOpen);
    if (isOpen || fresh.length === 0) return;
    // One that could not be kept is marked once more the next time.
    api
      .put('/announcements', { id: fresh }, { survivesRouteChange: true })
      .then(() => client.invalidateQueries({ queryKey: KEY }))
      .catch(() => undefined);
  };
  if (items.length === 0) return null;
  return (
    <span className={styles.widget}>
      <IconButton
        ref={button}
        icon="info"
        label={fresh.length > 0 ? t('announcements.titleNew', { count: fresh.length }) : t('announcements.title')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={handleOpen}
      />
      {fresh.length > 0 ? (
        <span aria-hidden="true" className={styles.badge}>
          {formatNumber(fresh.length)}
        </span>
      ) : null}
      <Popover anchor={button} isOpen={isOpen} onClose={() => setOpen(false)} label={t('announcements.title')} placement="bottom-end">
        <div className={styles.panel}>
          <h2 className={styles.head}>{t('announcements.title')}</h2>
          {/* Focusable, so that it can be scrolled with the keyboard. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <ul className={styles.list} tabIndex={0} aria-label={t('announcements.title')}>
            {items.map((item) => (
              <Item key={item.id} item={item} />
            ))}
          </ul>
        </div>
      </Popover>
    </span>
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
