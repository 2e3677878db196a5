import { useCustom, useOne } from '@refinedev/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Device } from '../../../schemas/_generated/contract.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { hasText, useT, type Translate } from '../../kernel/i18n/index.ts';
import { formatTime, toWire } from '../../kernel/time/index.ts';
import { isCollected, useCollected, type CollectedMetric } from '../../engine/readings/collected.ts';
import { Card, ErrorState, NearScreen, Select, Skeleton, Switch } from '../../ui/index.ts';
import { ComparedDevice } from './ComparedDevice.tsx';
import type { Points } from './draw-points.ts';
import { ComparedChart, MetricChart } from './MetricCharts.tsx';
import { StatesCard } from './StateBars.tsx';
import { useZoom, ZOOM_PARAMS } from './use-zoom.ts';
import styles from './devices.module.css';

const DAYS = ['1', '7', '30', '365'];
const DAY_MS = 86_400_000;
const MOST = 32;
/** What people look at first; the others follow by name. */
const FIRST = ['signal', 'temperature', 'rsrp', 'sinr', 'signal_2', 'load5'];
/** So many charts are on the screen; the others are drawn after them. */
const ON_SCREEN = 4;
/** With its tools and its legend, px. */
const CHART_HEIGHT = 260;
const COMPARED = 'with';
const USUAL = 'usual';
/** Of a longer period what is usual is not known by the hour. */
const MOST_USUAL_DAYS = 30;
/** Metrics that have the name of an input or of a Wi-Fi network at their end. */
const NAMED = { pin_: 'devices.metric.pin', wifi_clients_: 'devices.metric.wifi_clients' } as const;
const STATES = [
  'connection_type',
  'operator',
  'network_state',
  'sim_slot',
  'cell_id',
  'wan_state',
  'connection_type_2',
  'operator_2',
] as const;

interface Metric {
  name: string;
  unit: string;
  kind: 'number' | 'counter';
}

interface Answer {
  start: number;
  end: number;
  step_seconds: number;
  series: { metric: string; unit: string; points: Points }[];
  states: { metric: string; spans: [number, number, string][] }[];
}

const timeOf = (time: number): string => formatTime(time, 'YYYY-MM-DD HH:mm');

/** What people ask devices for themselves comes after what they look at first. */
const rankOf = ({ name }: Metric): number =>
  FIRST.includes(name) ? FIRST.indexOf(name) : isCollected(name) ? FIRST.length : FIRST.length + 1;

function nameOf(t: Translate, metric: string, collected: readonly CollectedMetric[]): string {
  const own = collected.find((one) => one.metric === metric);
  if (own) return own.label;
  for (const [prefix, text] of Object.entries(NAMED)) if (metric.startsWith(prefix)) return t(text, { name: metric.slice(prefix.length) });
  const key = [`devices.metric.${metric}`, `fields.${metric}`].find(hasText);
  return key === undefined ? metric : t(key);
}

interface Wanted {
  days: string;
  /** The device that is compared with. */
  other: number | undefined;
  /** Whether the usual bands are drawn. */
  isUsual: boolean;
}

/** What the charts of a device are drawn from: its numbers and texts over the period, those of another device, and what is usual. */
function useDeviceSeries(device: Device, { days, other, isUsual }: Wanted) {
  // Of the moment that the page was opened: with the time of each render every render would be a new query.
  const [openedAt] = useState(() => Date.now());
  const { query: known } = useCustom<Metric[], ApiError>({ url: `/devices/${device.id}/metrics`, method: 'get', errorNotification: false });
  const metrics = (known.data?.data ?? [])
    .filter(({ kind }) => kind === 'number')
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .slice(0, MOST);
  const collected = useCollected();
  const states = [...STATES, ...collected.flatMap(({ metric, isNumber }) => (isNumber ? [] : [metric]))].slice(0, MOST);
  const asked = {
    metrics: metrics.map(({ name }) => name),
    start_date: toWire(openedAt - Number(days) * DAY_MS),
  };
  const { query } = useCustom<Answer, ApiError>({
    url: `/devices/${device.id}/series`,
    method: 'get',
    config: { query: { ...asked, states } },
    // The former period stays until the new one is there: charts are redrawn, not made again.
    queryOptions: { enabled: known.data !== undefined, placeholderData: keepPreviousData },
    errorNotification: false,
  });
  const { query: otherQuery } = useCustom<Answer, ApiError>({
    url: `/devices/${other}/series`,
    method: 'get',
    config: { query: asked },
    queryOptions: { enabled: known.data !== undefined && other !== undefined },
    errorNotification: false,
  });
  const { query: otherDevice } = useOne<Device, ApiError>({
    resource: 'devices',
    id: other ?? 0,
    queryOptions: { enabled: other !== undefined },
    errorNotification: false,
  });
  const { query: usual } = useCustom<{ metric: string; band: [number, number, number][] }[], ApiError>({
    url: `/devices/${device.id}/usual`,
    method: 'get',
    config: { query: asked },
    queryOptions: { enabled: known.data !== undefined && isUsual },
    errorNotification: false,
  });
  const bandOf = (metric: string) => (isUsual ? usual.data?.data.find((one) => one.metric === metric)?.band : undefined);
  const error = known.error ?? query.error ?? (other === undefined ? null : (otherQuery.error ?? otherDevice.error));
  return {
    collected,
    states,
    data: query.data?.data,
    isPlaceholder: query.isPlaceholderData,
    against: other === undefined ? undefined : otherQuery.data?.data,
    otherName: otherDevice.data?.data.name ?? '',
    error,
    retry: () => void (known.error ? known : query).refetch(),
    bandOf,
    /** The same over another period. */
    queryOver: (count: string) => ({ ...asked, start_date: toWire(openedAt - Number(count) * DAY_MS), states }),
  };
}

/** What a device reported over a period: a chart for each number, and the texts from when to when. The period is in the address. */
export function DeviceMetrics({ device }: { device: Device }) {
  const t = useT();
  const id = useId();
  const [search, setSearch] = useSearchParams();
  const days = DAYS.find((count) => count === search.get('days')) ?? '1';
  const compared = Number(/^[1-9]\d{0,9}$/.exec(search.get(COMPARED) ?? '')?.[0] ?? 0);
  const other = compared !== device.id && compared > 0 ? compared : undefined;
  const canBeUsual = Number(days) <= MOST_USUAL_DAYS;
  const isUsual = search.get(USUAL) === '1';
  const read = useDeviceSeries(device, { days, other, isUsual: isUsual && canBeUsual });
  const { collected, states, data, against, error } = read;
  const [isChoosing, setChoosing] = useState(false);
  const zoom = useZoom();
  const setParam = (name: string, value: string | undefined): void =>
    setSearch(
      (former) => {
        if (value === undefined) former.delete(name);
        else former.set(name, value);
        // What is shown of another period or device is another question.
        for (const edge of ZOOM_PARAMS) former.delete(edge);
        return former;
      },
      { replace: true },
    );
  const later = useDeferredValue(data);
  const choice = (
    <>
      <label htmlFor={`${id}-days`} className="visually-hidden">
        {t('readings.period')}
      </label>
      <Select
        id={`${id}-days`}
        value={days}
        choices={DAYS.map((count) => ({ value: count, label: t('readings.days', { count: Number(count) }) }))}
        onChange={(count) => setParam('days', count)}
      />
    </>
  );
  return (
    <div className={styles.column}>
      <div className={styles.metricTools}>
        <ComparedDevice value={other} onChange={(chosen) => setParam(COMPARED, chosen === undefined ? undefined : String(chosen))} />
        {canBeUsual ? (
          <Switch isOn={isUsual} label={t('readings.usual')} onChange={(isOn) => setParam(USUAL, isOn ? '1' : undefined)} />
        ) : null}
        <div className={styles.period} onFocus={() => setChoosing(true)}>
          {choice}
        </div>
        {isChoosing
          ? DAYS.filter((count) => count !== days).map((count) => (
              <ReadAhead key={count} deviceId={device.id} query={read.queryOver(count)} />
            ))
          : null}
      </div>
      {error ? <ErrorState error={error} onRetry={read.retry} /> : null}
      {!data && !error ? <Skeleton height={260} /> : null}
      {data && data.series.every(({ points }) => points.length === 0) ? (
        <Card title={t('devices.tabs.metrics')}>
          <p className={styles.muted}>{t('readings.none')}</p>
        </Card>
      ) : null}
      {data ? (
        <div className={styles.charts} aria-busy={read.isPlaceholder}>
          {(later ?? data).series
            .map((drawn, index) =>
              index < ON_SCREEN
                ? { ...(data.series.find(({ metric }) => metric === drawn.metric) ?? drawn), period: data }
                : { ...drawn, period: later ?? data },
            )
            .filter(({ points }) => points.length > 0)
            .map(({ metric, unit, points, period }) => (
              <Card key={metric} title={nameOf(t, metric, collected)}>
                <NearScreen height={CHART_HEIGHT}>
                  {against && other !== undefined ? (
                    <ComparedChart
                      name={nameOf(t, metric, collected)}
                      unit={unit}
                      devices={[device.name, read.otherName]}
                      points={[points, against.series.find((one) => one.metric === metric)?.points ?? []]}
                      period={period}
                      {...zoom}
                    />
                  ) : (
                    <MetricChart
                      name={nameOf(t, metric, collected)}
                      unit={unit}
                      points={points}
                      usual={read.bandOf(metric)}
                      period={period}
                      {...zoom}
                    />
                  )}
                </NearScreen>
              </Card>
            ))}
        </div>
      ) : null}
      {data ? (
        <StatesCard
          states={data.states}
          // A cell may change each minute: in the table it is enough.
          drawn={new Set(states.filter((name) => name !== 'cell_id'))}
          period={data}
          range={zoom.range}
          nameOf={(metric) => nameOf(t, metric, collected)}
          timeOf={timeOf}
        />
      ) : null}
    </div>
  );
}

/** Reads a period while somebody is about to choose one, so that its charts are there with the click. */
function ReadAhead({ deviceId, query }: { deviceId: number; query: Record<string, unknown> }) {
  useCustom<Answer, ApiError>({ url: `/devices/${deviceId}/series`, method: 'get', config: { query }, errorNotification: false });
  return null;
}
