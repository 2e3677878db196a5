import { useCustom } from '@refinedev/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { ErrorState, IconButton, StatusMark, WorldMap, type MapMark, type MapPoint, type MapView } from '../../ui/index.ts';
import { areaInSight, drawnMark, type FleetMark } from './fleet-marks.ts';
import { statusKinds, statusName } from './status.ts';
import styles from './map.module.css';

interface FleetAnswer {
  marks: FleetMark[];
  total: number;
}

interface FleetMapProps {
  /** Filters of the list of devices. */
  query: Readonly<Record<string, string>>;
  height: number | string;
  area?: readonly MapPoint[];
  isPicking?: boolean;
  onPick?(point: MapPoint): void;
  onView?(view: MapView): void;
}

const AGAIN_MS = 30_000;
const CLOSER = 3;
const WHOLE_WORLD = 2;
const HIGHEST_ZOOM = 18;

function useMarks(query: Record<string, string>, isWanted: boolean) {
  return useCustom<FleetAnswer, ApiError>({
    url: '/devices/map',
    method: 'get',
    config: { query },
    queryOptions: { enabled: isWanted, placeholderData: keepPreviousData, refetchInterval: AGAIN_MS },
    errorNotification: false,
  }).query;
}

/** Devices on a map; those that lie together are one mark, which a click comes closer to. */
export function FleetMap({ query, height, area, isPicking = false, onPick, onView }: FleetMapProps) {
  const t = useT();
  const [view, setView] = useState<MapView>();
  const [near, setNear] = useState<{ points: MapPoint[]; zoom: number }>();
  const [chosen, setChosen] = useState<FleetMark>();
  const all = useMarks({ ...query, zoom: String(WHOLE_WORLD) }, true);
  const zoom = Math.min(HIGHEST_ZOOM, Math.floor(view?.zoom ?? WHOLE_WORLD));
  const isClose = view !== undefined && zoom > WHOLE_WORLD;
  const sight = useMarks(isClose ? { ...query, area: areaInSight(view).join(','), zoom: String(zoom) } : {}, isClose);
  // Until what is in sight has come, the marks of the whole world are there already.
  const found = ((isClose ? sight.data : undefined) ?? all.data)?.data.marks;
  const drawn = useMemo(() => (found ?? []).map((mark) => ({ mark, drawn: drawnMark(mark, t) })), [found, t]);
  const marks = useMemo(() => drawn.map((one) => one.drawn), [drawn]);
  const everywhere = all.data?.data;
  const isKnown = everywhere !== undefined && everywhere.total > 0;
  // Once for each set of filters: where one has moved to stays in sight as the devices report.
  const filters = JSON.stringify(query);
  const whole = useMemo(
    () => (isKnown ? { filters, points: everywhere.marks.map(({ latitude, longitude }) => ({ latitude, longitude })) } : undefined),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Not again when the same devices are read again.
    [isKnown, filters],
  );
  // The first view is of the whole world; the first answer says where in it the devices are, and the map goes there.
  const firstView = useRef(view);
  const tellView = useEffectEvent((next: MapView) => onView?.(next));
  const staysWhole = everywhere?.total === 0 || all.isError;
  useEffect(() => {
    if (!view) return;
    firstView.current ??= view;
    if (staysWhole || (isKnown && view !== firstView.current)) tellView(view);
  }, [staysWhole, isKnown, view]);
  const choose = ({ id, latitude, longitude, count }: MapMark): void => {
    const mark = drawn.find((one) => one.drawn.id === id)?.mark;
    setChosen(mark?.device ? mark : undefined);
    if (count > 1 && view) setNear({ points: [{ latitude, longitude }], zoom: Math.min(HIGHEST_ZOOM, view.zoom + CLOSER) });
  };
  const device = chosen?.device;
  const error = sight.error ?? all.error;
  return (
    <div className={styles.fleet}>
      {error ? <ErrorState error={error} onRetry={() => void sight.refetch()} /> : null}
      <WorldMap
        label={t('map.title')}
        height={height}
        marks={marks}
        chosen={device ? `device ${device.id}` : undefined}
        onMark={choose}
        focus={near ?? whole}
        onView={setView}
        area={area ?? NO_CORNERS}
        isPicking={isPicking}
        {...(onPick ? { onPick } : {})}
      />
      <p className={styles.count} role="status">
        {everywhere?.total === 0
          ? t('map.nothing')
          : t('map.count', { count: everywhere?.total ?? 0, total: formatNumber(everywhere?.total ?? 0) })}
      </p>
      {device ? (
        <div className={styles.chosen}>
          <Link to={`/devices/${device.id}/location`}>{device.name}</Link>
          <StatusMark kind={statusKinds[statusName(device.status)]}>{t(`devices.status.${statusName(device.status)}`)}</StatusMark>
          <span className={styles.muted}>{device.model}</span>
          <IconButton icon="x" size="small" label={t('common.close')} onClick={() => setChosen(undefined)} />
        </div>
      ) : null}
    </div>
  );
}

const NO_CORNERS: readonly never[] = [];
