import { useCustom, useOne } from '@refinedev/core';
import { useId, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Device } from '../../../schemas/_generated/contract.ts';
import { formatBytes } from '../../engine/table/format.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, hasText, useT, type Translate } from '../../kernel/i18n/index.ts';
import { formatTime, SECOND, toWire } from '../../kernel/time/index.ts';
import { Card, ErrorState, NearScreen, Select, Skeleton, SmallTable, TimeChart, type TimeRange, type TimeSeries } from '../../ui/index.ts';
import { ComparedDevice } from './ComparedDevice.tsx';
import { comparePoints, drawPoints, type Points } from './draw-points.ts';
import { StateBars } from './StateBars.tsx';
import { useZoom, ZOOM_PARAMS } from './use-zoom.ts';
import styles from './devices.module.css';

const DAYS = ['1', '7', '30', '365'];
const DAY_MS = 86_400_000;
const MOST = 12;
/** With its tools and its legend, px. */
const CHART_HEIGHT = 260;
const COMPARED = 'with';
/** Analogue inputs among the metrics. */
const PIN = 'pin_';
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
/** A cell may change each minute: in the table it is enough. */
const DRAWN_STATES: ReadonlySet<string> = new Set(STATES.filter((name) => name !== 'cell_id'));

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
/** Under an axis there is little room. */
const shortTimeOf = (time: number): string => formatTime(time, 'MM-DD HH:mm');

function nameOf(t: Translate, metric: string): string {
  if (metric.startsWith(PIN)) return t('devices.metric.pin', { name: metric.slice(PIN.length) });
  const key = [`devices.metric.${metric}`, `fields.${metric}`].find(hasText);
  return key === undefined ? metric : t(key);
}

function words(t: Translate, unit: string, value: number): string {
  if (unit === 'tenths of °C') return t('devices.celsius', { value: formatNumber(Math.round(value) / 10) });
  if (unit === 'KiB') return formatBytes(value * 1024);
  return `${formatNumber(Math.round(value * 100) / 100)}${unit ? ` ${unit}` : ''}`;
}

/** What a device reported over a period: a chart for each number, and the texts from when to when. The period is in the address. */
export function DeviceMetrics({ device }: { device: Device }) {
  const t = useT();
  const id = useId();
  const [search, setSearch] = useSearchParams();
  const days = DAYS.find((count) => count === search.get('days')) ?? '1';
  // Of the moment that the page was opened: with the time of each render every render would be a new query.
  const [openedAt] = useState(() => Date.now());
  const { query: known } = useCustom<Metric[], ApiError>({ url: `/devices/${device.id}/metrics`, method: 'get', errorNotification: false });
  const metrics = (known.data?.data ?? []).filter(({ kind }) => kind === 'number').slice(0, MOST);
  const compared = Number(/^[1-9]\d{0,9}$/.exec(search.get(COMPARED) ?? '')?.[0] ?? 0);
  const other = compared !== device.id && compared > 0 ? compared : undefined;
  const asked = {
    metrics: metrics.map(({ name }) => name),
    start_date: toWire(openedAt - Number(days) * DAY_MS),
  };
  const { query } = useCustom<Answer, ApiError>({
    url: `/devices/${device.id}/series`,
    method: 'get',
    config: { query: { ...asked, states: [...STATES] } },
    queryOptions: { enabled: known.data !== undefined },
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
  const error = known.error ?? query.error ?? (other === undefined ? null : (otherQuery.error ?? otherDevice.error));
  const data = query.data?.data;
  const against = other === undefined ? undefined : otherQuery.data?.data;
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
        <div className={styles.period}>{choice}</div>
      </div>
      {error ? <ErrorState error={error} onRetry={() => void (known.error ? known : query).refetch()} /> : null}
      {!data && !error ? <Skeleton height={260} /> : null}
      {data && data.series.every(({ points }) => points.length === 0) ? (
        <Card title={t('devices.tabs.metrics')}>
          <p className={styles.muted}>{t('readings.none')}</p>
        </Card>
      ) : null}
      {data ? (
        <div className={styles.charts}>
          {data.series
            .filter(({ points }) => points.length > 0)
            .map(({ metric, unit, points }) => (
              <Card key={metric} title={nameOf(t, metric)}>
                <NearScreen height={CHART_HEIGHT}>
                  {against && other !== undefined ? (
                    <ComparedChart
                      name={nameOf(t, metric)}
                      unit={unit}
                      devices={[device.name, otherDevice.data?.data.name ?? '']}
                      points={[points, against.series.find((one) => one.metric === metric)?.points ?? []]}
                      period={data}
                      {...zoom}
                    />
                  ) : (
                    <MetricChart name={nameOf(t, metric)} unit={unit} points={points} period={data} {...zoom} />
                  )}
                </NearScreen>
              </Card>
            ))}
        </div>
      ) : null}
      {data ? <States states={data.states} period={data} range={zoom.range} /> : null}
    </div>
  );
}

interface ChartProps {
  name: string;
  unit: string;
  period: Omit<Answer, 'series'>;
  range: TimeRange | null;
  onRange(range: TimeRange | null): void;
}

/** A metric of two devices, a line for each. */
function ComparedChart({
  name,
  unit,
  devices,
  points,
  period,
  range,
  onRange,
}: ChartProps & { devices: [string, string]; points: [Points, Points] }) {
  const t = useT();
  const [[ownName, otherName], [own, others]] = [devices, points];
  const drawn = useMemo(() => comparePoints(own, others, period), [own, others, period]);
  const lines = useMemo(
    (): TimeSeries[] => [
      { label: ownName, values: drawn.first, color: 'accent', kind: 'line' },
      { label: otherName, values: drawn.second, color: 'warn', kind: 'line' },
    ],
    [ownName, otherName, drawn],
  );
  return (
    <TimeChart
      label={name}
      fileName={name}
      times={drawn.times}
      series={lines}
      format={(value) => words(t, unit, value)}
      formatTime={shortTimeOf}
      height={180}
      range={range}
      onRange={onRange}
    />
  );
}

function MetricChart({ name, unit, points, period, range, onRange }: ChartProps & { points: Points }) {
  const t = useT();
  const { times, average, lowest, highest } = useMemo(() => drawPoints(points, period), [points, period]);
  const lines = useMemo(
    (): TimeSeries[] => [
      { label: t('readings.maximum'), values: highest, color: 'idle', kind: 'high' },
      { label: t('readings.average'), values: average, color: 'accent', kind: 'line' },
      { label: t('readings.minimum'), values: lowest, color: 'idle', kind: 'low' },
    ],
    [t, average, lowest, highest],
  );
  return (
    <TimeChart
      label={name}
      fileName={name}
      times={times}
      series={lines}
      format={(value) => words(t, unit, value)}
      formatTime={shortTimeOf}
      height={180}
      range={range}
      onRange={onRange}
    />
  );
}

/** Texts with the time from when to when they were so: as bars, and as a table, newest first. */
function States({ states, period, range }: { states: Answer['states']; period: Omit<Answer, 'series'>; range: TimeRange | null }) {
  const t = useT();
  const rows = states
    .flatMap(({ metric, spans }) => spans.map(([from, to, value]) => ({ metric, from, to, value })))
    .toSorted((a, b) => b.from - a.from);
  if (rows.length === 0) return null;
  return (
    <Card title={t('devices.states.title')}>
      <StateBars
        states={states.filter(({ metric }) => DRAWN_STATES.has(metric))}
        start={period.start}
        end={period.end}
        range={range}
        nameOf={(metric) => nameOf(t, metric)}
        timeOf={timeOf}
      />
      <SmallTable
        className={styles.numbers}
        columns={[
          { key: 'what', title: t('devices.states.what'), render: ({ metric }: (typeof rows)[number]) => nameOf(t, metric) },
          { key: 'value', title: t('devices.states.value'), render: ({ value }: (typeof rows)[number]) => value },
          { key: 'from', title: t('devices.states.from'), render: ({ from }: (typeof rows)[number]) => timeOf(from * SECOND) },
          { key: 'to', title: t('devices.states.to'), render: ({ to }: (typeof rows)[number]) => timeOf(to * SECOND) },
        ]}
        rows={rows}
        keyOf={({ metric, from }) => `${metric} ${from}`}
      />
    </Card>
  );
}
