import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { DeviceEvent } from '../../../schemas/_generated/contract.ts';
import { api } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { live } from '../../kernel/socket/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { cx } from '../../ui/cx.ts';
import styles from './devices.module.css';

const STEP = 20;
const MAX_LIMIT = 100;

/** What happened to the device, newest first, growing live. */
export function DeviceEvents({ deviceId }: { deviceId: number }) {
  const t = useT();
  const [limit, setLimit] = useState(STEP);
  const { data, error, refetch } = useQuery({
    queryKey: ['devices', deviceId, 'logs', limit],
    queryFn: async () => api.get<DeviceEvent[]>(`/devices/${deviceId}/logs`, { query: { limit } }),
    placeholderData: (previous) => previous,
  });
  useEffect(
    () => live.follow(`devices.${deviceId}.events`, { onEvent: () => void refetch(), onFollowed: () => void refetch() }),
    [deviceId, refetch],
  );
  const total = data?.meta.total ?? 0;
  return (
    <Card title={t('devices.events.title')} isFlush>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('devices.events.title')} />
      ) : null}
      {!data && !error ? <Skeleton height={120} /> : null}
      {data?.data.length === 0 ? <p className={styles.nothing}>{t('devices.events.none')}</p> : null}
      <ul className={styles.events}>
        {data?.data.map((event) => (
          <li key={event.id}>
            <span className={styles.muted}>
              <RelativeTime time={event.created_at} />
            </span>
            <span className={cx(event.level === 'warning' && styles.eventWarning, event.level === 'error' && styles.eventError)}>
              <EventText event={event} />
            </span>
          </li>
        ))}
      </ul>
      {total > limit && limit < MAX_LIMIT ? (
        <div className={styles.more}>
          <Button variant="link" onClick={() => setLimit(Math.min(limit + STEP, MAX_LIMIT))}>
            {t('common.showMore')}
          </Button>
        </div>
      ) : null}
    </Card>
  );
}

/** The event's kind in words; a device's own words follow it as they came, as text. */
function EventText({ event }: { event: DeviceEvent }) {
  const t = useT();
  const kind = t(`devices.events.${event.type}`);
  if (!event.log || event.type === 'connected') return <>{kind}</>;
  return (
    <>
      {kind}: {event.log}
    </>
  );
}
