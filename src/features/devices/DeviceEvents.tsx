import { useList } from '@refinedev/core';
import { useEffect, useState } from 'react';
import type { DeviceEvent } from '../../../schemas/_generated/contract.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { live } from '../../kernel/socket/index.ts';
import { cx, GrowingCard, RelativeTime } from '../../ui/index.ts';
import styles from './devices.module.css';

const STEP = 20;

/** What happened to the device, newest first, growing live. */
export function DeviceEvents({ deviceId }: { deviceId: number }) {
  const t = useT();
  const [limit, setLimit] = useState(STEP);
  const { query } = useList<DeviceEvent, ApiError>({
    resource: `devices/${deviceId}/logs`,
    pagination: { currentPage: 1, pageSize: limit },
    queryOptions: { placeholderData: (previous) => previous },
    errorNotification: false,
  });
  const { data, error, refetch } = query;
  useEffect(
    () => live.follow(`devices.${deviceId}.events`, { onEvent: () => void refetch(), onFollowed: () => void refetch() }),
    [deviceId, refetch],
  );
  return (
    <GrowingCard
      title={t('devices.events.title')}
      none={t('devices.events.none')}
      total={data?.total}
      error={error}
      onRetry={() => void refetch()}
      limit={limit}
      step={STEP}
      onLimit={setLimit}
      height={120}
    >
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
    </GrowingCard>
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
