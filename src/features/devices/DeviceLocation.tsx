import { useCustom } from '@refinedev/core';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { openForm } from '../../engine/form/open-form.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { DAY, formatTime, parseWire, toWire } from '../../kernel/time/index.ts';
import {
  Button,
  Card,
  ErrorState,
  ExactTime,
  Select,
  Skeleton,
  TimeSlider,
  WorldMap,
  type MapMark,
  type MapPoint,
} from '../../ui/index.ts';
import type { DetailsPartProps } from './DetailsParts.tsx';
import { Facts } from './DeviceFacts.tsx';
import { statusKinds, statusName } from './status.ts';
import styles from './map.module.css';

const DAYS = ['1', '7', '30'];
const HEIGHT = 420;
const DIGITS = 6;

interface Location {
  latitude: number | null;
  longitude: number | null;
  source: 'user' | 'gps' | 'site' | 'cell' | null;
  updated_at: string | null;
}

interface Past extends MapPoint {
  created_at: string;
}

const words = ({ latitude, longitude }: MapPoint): string => `${latitude.toFixed(DIGITS)}, ${longitude.toFixed(DIGITS)}`;

function usePast(id: number, days: number) {
  // Of the moment that the page was opened: with the time of each render every render would be a new query.
  const [openedAt] = useState(() => Date.now());
  return useCustom<Past[], ApiError>({
    url: `/devices/${id}/locations/history`,
    method: 'get',
    config: { query: { start_date: toWire(openedAt - days * DAY) } },
    errorNotification: false,
  }).query;
}

/** Where a device is and was, from whom that is known, and the way to say where it is. */
export function DeviceLocation({ device, details }: DetailsPartProps) {
  const t = useT();
  const id = useId();
  const can = useCan();
  const [search, setSearch] = useSearchParams();
  const days = DAYS.find((count) => count === search.get('days')) ?? '1';
  const [isPicking, setPicking] = useState(false);
  const [index, setIndex] = useState<number>();
  const { query } = useCustom<Location, ApiError>({ url: `/devices/${device.id}/location`, method: 'get', errorNotification: false });
  const past = usePast(device.id, Number(days));
  const location = query.data?.data;
  const positions = past.data?.data;
  const { refetch } = query;
  const { refetch: refetchPast } = past;
  // A report of another place, or somebody's word, changes the answer.
  const news = `${details.received_at} ${device.user_set_latitude} ${device.user_set_longitude}`;
  const answered = useRef(news);
  useEffect(() => {
    if (answered.current === news) return;
    answered.current = news;
    void refetch();
    void refetchPast();
  }, [refetch, refetchPast, news]);
  const shownPast = index === undefined ? undefined : positions?.[Math.min(index, positions.length - 1)];
  const now = useMemo(
    () =>
      location && location.latitude !== null && location.longitude !== null
        ? { latitude: location.latitude, longitude: location.longitude }
        : undefined,
    [location],
  );
  const at = shownPast ?? now;
  const kind = statusKinds[statusName(device.status)];
  const marks = useMemo<MapMark[]>(
    () => (at ? [{ ...at, id: 'device', count: 1, kind, label: `${device.name} · ${words(at)}` }] : []),
    [at, kind, device.name],
  );
  const track = useMemo(() => positions ?? [], [positions]);
  const points = [...track, ...(now ? [now] : [])];
  // For each period and each place set by hand once: where one has moved to stays in sight while the device reports.
  const about = `${days} ${location?.source} ${device.user_set_latitude} ${device.user_set_longitude}`;
  const [focus, setFocus] = useState<{ about: string; points: MapPoint[] }>();
  if (location && positions && points.length > 0 && focus?.about !== about) setFocus({ about, points });
  const edit = async (initial?: { user_set_latitude: number | null; user_set_longitude: number | null }): Promise<void> => {
    setPicking(false);
    const done = await openForm('devices/location', { record: { ...device }, ...(initial ? { initial } : {}) });
    if (done) void refetch();
  };
  const pick = ({ latitude, longitude }: MapPoint): void => {
    const round = (value: number): number => Number(value.toFixed(DIGITS));
    void edit({ user_set_latitude: round(latitude), user_set_longitude: round(longitude - 360 * Math.round(longitude / 360)) });
  };
  const error = query.error ?? past.error;
  return (
    <Card title={t('map.location')}>
      {error ? <ErrorState error={error} onRetry={() => void Promise.all([query.refetch(), past.refetch()])} /> : null}
      <div className={styles.tools}>
        <label htmlFor={`${id}-days`} className="visually-hidden">
          {t('readings.period')}
        </label>
        <div className={styles.period}>
          <Select
            id={`${id}-days`}
            value={days}
            choices={DAYS.map((count) => ({ value: count, label: t('readings.days', { count: Number(count) }) }))}
            onChange={(count) => {
              setIndex(undefined);
              setSearch((former) => new URLSearchParams([...[...former].filter(([name]) => name !== 'days'), ['days', count]]), {
                replace: true,
              });
            }}
          />
        </div>
        {can('update_devices') ? (
          <>
            <Button size="small" icon="map-pin" onClick={() => setPicking(!isPicking)}>
              {t(isPicking ? 'map.cancel' : 'map.pick')}
            </Button>
            <Button size="small" icon="pencil" onClick={() => void edit()}>
              {t('map.enter')}
            </Button>
            {location?.source === 'user' ? (
              <Button size="small" icon="undo-2" onClick={() => void edit({ user_set_latitude: null, user_set_longitude: null })}>
                {t('map.use_reported')}
              </Button>
            ) : null}
          </>
        ) : null}
      </div>
      {isPicking ? (
        <p role="status" className={styles.hint}>
          {t('map.pick.hint')}
        </p>
      ) : null}
      {location && positions ? (
        <WorldMap label={t('map.location')} height={HEIGHT} marks={marks} track={track} focus={focus} isPicking={isPicking} onPick={pick} />
      ) : (
        <Skeleton height={HEIGHT} />
      )}
      {positions && positions.length > 1 ? (
        <div className={styles.past}>
          <TimeSlider
            label={t('map.time')}
            most={positions.length - 1}
            value={index ?? positions.length - 1}
            words={(value) => formatTime(parseWire(positions[value]?.created_at ?? '') ?? 0, 'YYYY-MM-DD HH:mm:ss')}
            onChange={setIndex}
          />
        </div>
      ) : null}
      <Facts
        facts={[
          [t('devices.gps.coordinates'), at ? <code key="at">{words(at)}</code> : t('map.unknown')],
          [t('map.source'), location?.source && !shownPast ? t(`map.source.${location.source}`) : shownPast ? t('map.source.gps') : '—'],
          [t('map.since'), <ExactTime key="since" time={shownPast?.created_at ?? location?.updated_at ?? null} />],
        ]}
      />
    </Card>
  );
}
