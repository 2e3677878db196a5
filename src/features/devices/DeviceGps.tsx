import { useCustom } from '@refinedev/core';
import { useState } from 'react';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { DAY, toWire } from '../../kernel/time/index.ts';
import { Card, CopyField, EmptyState, ErrorState, ExactTime, Skeleton } from '../../ui/index.ts';
import { ReportLine, TableCard, type DetailsPartProps } from './DetailsParts.tsx';
import { Facts } from './DeviceFacts.tsx';
import styles from './details.module.css';

const HISTORY_DAYS = 30;
const MOST_ROWS = 100;
const DIGITS = 6;

interface Position {
  latitude: number;
  longitude: number;
  altitude: number | null;
  satellites: number | null;
  speed: number | null;
  created_at: string;
}

const coordinates = ({ latitude, longitude }: Pick<Position, 'latitude' | 'longitude'>): string =>
  `${latitude.toFixed(DIGITS)}, ${longitude.toFixed(DIGITS)}`;

function useUnits() {
  const t = useT();
  const words = (key: string) => (value: number | null) =>
    value === null ? '—' : t(`devices.gps.${key}`, { value: formatNumber(Math.round(value * 10) / 10) });
  return { metres: words('metres'), speed: words('kmh'), degrees: words('degrees') };
}

function Now({ device, details }: DetailsPartProps) {
  const t = useT();
  const { metres, speed, degrees } = useUnits();
  const { position } = details;
  return (
    <Card title={t('devices.gps.title')}>
      {position ? (
        <div className={styles.place}>
          <CopyField label={t('devices.gps.coordinates')} value={coordinates(position)} />
          <Facts
            facts={[
              [t('devices.gps.satellites'), position.satellites ?? '—'],
              [t('devices.gps.accuracy'), metres(position.accuracy)],
              [t('devices.gps.altitude'), metres(position.altitude)],
              [t('devices.gps.speed'), speed(position.speed)],
              [t('devices.gps.course'), degrees(position.course)],
              [t('devices.gps.measured'), <ExactTime key="at" time={position.fixed_at ?? details.received_at} />],
            ]}
          />
        </div>
      ) : (
        <EmptyState title={t('devices.gps.none')} text={t('devices.gps.none.text')} />
      )}
      <ReportLine device={device} details={details} label={t('devices.details.refresh')} />
    </Card>
  );
}

/** Where a device is, and where it was. */
export function DeviceGps({ device, details }: DetailsPartProps) {
  const t = useT();
  const { metres, speed } = useUnits();
  const [openedAt] = useState(() => Date.now());
  const { query } = useCustom<Position[], ApiError>({
    url: `/devices/${device.id}/locations/history`,
    method: 'get',
    config: { query: { start_date: toWire(openedAt - HISTORY_DAYS * DAY) } },
    errorNotification: false,
  });
  const data = query.data?.data;
  return (
    <div className={styles.column}>
      <Now device={device} details={details} />
      {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {!data && !query.error ? <Skeleton height={120} /> : null}
      <TableCard
        title={t('devices.gps.history')}
        rows={data?.toReversed().slice(0, MOST_ROWS) ?? null}
        none={t('devices.gps.never')}
        keyOf={({ created_at }) => created_at}
        columns={[
          { key: 'at', title: t('devices.io.when'), render: ({ created_at: time }) => <ExactTime time={time} /> },
          { key: 'place', title: t('devices.gps.coordinates'), render: (place) => <code>{coordinates(place)}</code> },
          { key: 'altitude', title: t('devices.gps.altitude'), render: ({ altitude }) => metres(altitude) },
          { key: 'speed', title: t('devices.gps.speed'), render: (place) => speed(place.speed) },
          { key: 'satellites', title: t('devices.gps.satellites'), render: ({ satellites }) => satellites ?? '—' },
        ]}
      />
    </div>
  );
}
