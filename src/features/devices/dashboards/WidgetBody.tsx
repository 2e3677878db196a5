import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Device } from '../../../../schemas/_generated/contract.ts';
import { formatBytes } from '../../../engine/table/format.ts';
import { drawSeries, type Series } from '../../../engine/readings/draw-series.ts';
import type { ApiError } from '../../../kernel/http/index.ts';
import { formatNumber, useT, type Translate } from '../../../kernel/i18n/index.ts';
import { formatTime, SECOND } from '../../../kernel/time/index.ts';
import { BarChart, Button, Skeleton, SmallTable, StatusMark, TimeChart, WorldMap, type Bar } from '../../../ui/index.ts';
import { drawPoints, type Points } from '../draw-points.ts';
import { FleetMap } from '../FleetMap.tsx';
import { statusKinds, statusName } from '../status.ts';
import { startOf, useDevices, useWidgetData, type Surroundings, type WidgetProps } from './dashboard-data.ts';
import { ROW_PX } from './grid.ts';
import styles from './dashboards.module.css';

const MOST_BARS = 12;
const HEAD_PX = 62;
const BARS = ['accent', 'good', 'warn', 'bad', 'idle'] as const;
const SIGNAL = { lowest: -120, highest: -50 };
const FEW_ROWS = 10;

const heightOf = (rows: number): number => Math.max(80, rows * ROW_PX - HEAD_PX);
const timeOf = (time: number): string => formatTime(time, 'MM-DD HH:mm');

/** A field of a device with its unit. */
export function wordsOf(t: Translate, field: string, value: unknown): string {
  if (typeof value === 'string') return value || '—';
  if (typeof value !== 'number') return '—';
  if (field === 'sent' || field === 'received') return formatBytes(value);
  if (field === 'temperature') return t('devices.celsius', { value: formatNumber(Math.round(value) / 10) });
  if (field === 'signal' || field === 'rsrp') return t('devices.dbm', { value: formatNumber(Math.round(value)) });
  if (field === 'router_uptime') return t('dashboards.hours', { value: formatNumber(Math.round(value / 3600)) });
  return formatNumber(Math.round(value * 100) / 100);
}

interface Answer<T> {
  data: { data: T } | undefined;
  error: ApiError | null;
  refetch(): unknown;
}

/** What a widget shows while its numbers are on the way, and when they do not come. */
function Loaded<T>({ query, children }: { query: Answer<T>; children(data: T): ReactNode }) {
  const t = useT();
  const data = query.data?.data;
  if (data !== undefined) return children(data);
  if (!query.error) return <Skeleton height={80} />;
  return (
    <div role="alert" className={styles.failed}>
      <p>{t('dashboards.failed')}</p>
      <Button size="small" onClick={() => void query.refetch()}>
        {t('dashboards.again')}
      </Button>
    </div>
  );
}

const Nothing = () => <p className={styles.muted}>{useT()('dashboards.nothing')}</p>;
const Big = ({ children }: { children: ReactNode }) => <p className={styles.big}>{children}</p>;

type Counts = Record<string, Record<string, number>>;
const STATUS_OF: Record<string, string> = { online: '1', offline: '0', pending: '2' };

function useCounts(around: Surroundings) {
  return useWidgetData<Counts>('/devices/statistics', { ...around.filters }, around);
}

const sum = (counts: Record<string, number> = {}): number => Object.values(counts).reduce((total, count) => total + count, 0);

function FleetValue({ widget, around }: WidgetProps) {
  return (
    <Loaded query={useCounts(around)}>
      {({ status = {} }) => (
        <Big>{formatNumber(widget.source === 'devices' ? sum(status) : (status[STATUS_OF[widget.source ?? ''] ?? ''] ?? 0))}</Big>
      )}
    </Loaded>
  );
}

function useDevice(around: Surroundings) {
  return useWidgetData<Device>(`/devices/${around.deviceId}`, {}, around);
}

function DeviceValue({ widget: { source = '' }, around }: WidgetProps) {
  const t = useT();
  return (
    <Loaded query={useDevice(around)}>
      {(device) => <Big>{wordsOf(t, source, Object.entries(device).find(([name]) => name === source)?.[1])}</Big>}
    </Loaded>
  );
}

function Gauge({ value, least, most, words }: { value: number | null; least: number; most: number; words: string }) {
  const share = value === null ? 0 : Math.max(0, Math.min(1, (value - least) / (most - least)));
  const end = { x: 50 - 40 * Math.cos(Math.PI * share), y: 50 - 40 * Math.sin(Math.PI * share) };
  return (
    <div className={styles.gauge}>
      <svg viewBox="0 0 100 56" role="img" aria-label={words}>
        <path d="M10 50 A40 40 0 0 1 90 50" className={styles.gaugeTrack} />
        {share > 0 ? <path d={`M10 50 A40 40 0 0 1 ${end.x.toFixed(2)} ${end.y.toFixed(2)}`} className={styles.gaugeValue} /> : null}
      </svg>
      <strong>{words}</strong>
    </div>
  );
}

const percent = (t: Translate, value: number | null): string =>
  value === null ? '—' : t('dashboards.percent', { value: formatNumber(Math.floor(value * 10) / 10) });

function FleetGauge({ around }: WidgetProps) {
  const t = useT();
  return (
    <Loaded query={useCounts(around)}>
      {({ status = {} }) => {
        const share = sum(status) === 0 ? null : ((status['1'] ?? 0) / sum(status)) * 100;
        return <Gauge value={share} least={0} most={100} words={percent(t, share)} />;
      }}
    </Loaded>
  );
}

interface Presence {
  spans: { from: number; to: number; is_online: boolean }[];
  online_percent: number | null;
}

function usePresence(around: Surroundings) {
  return useWidgetData<Presence>(`/devices/${around.deviceId}/presence`, { start_date: startOf(around) }, around);
}

function OnlineGauge({ around }: WidgetProps) {
  const t = useT();
  return (
    <Loaded query={usePresence(around)}>
      {({ online_percent: value }) => <Gauge value={value} least={0} most={100} words={percent(t, value)} />}
    </Loaded>
  );
}

function SignalGauge({ around }: WidgetProps) {
  const t = useT();
  return (
    <Loaded query={useDevice(around)}>
      {({ signal }) => <Gauge value={signal} least={SIGNAL.lowest} most={SIGNAL.highest} words={wordsOf(t, 'signal', signal)} />}
    </Loaded>
  );
}

function FleetLine({ widget: { source = '', h }, around }: WidgetProps) {
  const t = useT();
  const path = around.tagId === undefined ? `/companies/${around.companyId}/series` : `/tags/${around.tagId}/series`;
  const query = useWidgetData<Series>(path, { parameter: source, start_date: startOf(around) }, around);
  const name = t(`fields.${source}`);
  return (
    <Loaded query={query}>
      {(series) => {
        const { times, average } = drawSeries(series);
        if (series.points.length === 0) return <Nothing />;
        const lines = [{ label: name, values: average, color: 'accent', kind: 'line' } as const];
        return (
          <TimeChart
            label={name}
            fileName={name}
            times={times}
            series={lines}
            format={(value) => wordsOf(t, source, value)}
            formatTime={timeOf}
            height={heightOf(h)}
          />
        );
      }}
    </Loaded>
  );
}

interface DeviceSeries {
  start: number;
  end: number;
  step_seconds: number;
  series: { points: Points }[];
}

function DeviceLine({ widget: { source = '', h }, around }: WidgetProps) {
  const t = useT();
  const query = useWidgetData<DeviceSeries>(`/devices/${around.deviceId}/series`, { metrics: source, start_date: startOf(around) }, around);
  const name = t(`fields.${source}`);
  return (
    <Loaded query={query}>
      {(answer) => {
        const points = answer.series[0]?.points ?? [];
        if (points.length === 0) return <Nothing />;
        const { times, average } = drawPoints(points, answer);
        const lines = [{ label: name, values: average, color: 'accent', kind: 'line' } as const];
        return (
          <TimeChart
            label={name}
            fileName={name}
            times={times}
            series={lines}
            format={(value) => wordsOf(t, source, value)}
            formatTime={timeOf}
            height={heightOf(h)}
          />
        );
      }}
    </Loaded>
  );
}

function States({ around }: WidgetProps) {
  const t = useT();
  return (
    <Loaded query={usePresence(around)}>
      {({ spans, online_percent: value }) => {
        const [start, end] = [spans[0]?.from ?? 0, spans.at(-1)?.to ?? 0];
        if (value === null || end <= start) return <Nothing />;
        return (
          <>
            <div className={styles.band} role="img" aria-label={percent(t, value)}>
              {spans.map(({ from, to, is_online: isOnline }) => (
                <span
                  key={from}
                  className={isOnline ? styles.wasOnline : styles.wasOffline}
                  style={{
                    insetInlineStart: `${((from - start) / (end - start)) * 100}%`,
                    inlineSize: `${((to - from) / (end - start)) * 100}%`,
                  }}
                  title={`${t(`devices.status.${isOnline ? 'online' : 'offline'}`)}: ${timeOf(from * SECOND)} – ${timeOf(to * SECOND)}`}
                />
              ))}
            </div>
            <p className={styles.muted}>{`${timeOf(start * SECOND)} – ${timeOf(end * SECOND)} · ${percent(t, value)}`}</p>
          </>
        );
      }}
    </Loaded>
  );
}

function Bars({ widget: { source = '', h }, around }: WidgetProps) {
  const t = useT();
  const label = t(`fields.${source}`);
  return (
    <Loaded query={useCounts(around)}>
      {(counts) => {
        const entries = Object.entries(counts[source] ?? {}).sort((a, b) => b[1] - a[1]);
        if (entries.length === 0) return <Nothing />;
        const bars = entries.slice(0, MOST_BARS).map(([name, value], index): Bar => ({
          label: source === 'status' ? t(`devices.status.${statusName(name === 'null' ? null : Number(name))}`) : name.replaceAll('_', ' '),
          value,
          color:
            source === 'status'
              ? (({ '1': 'good', '0': 'bad', '2': 'warn' } as const)[name] ?? 'idle')
              : (BARS[index % BARS.length] ?? 'accent'),
        }));
        return <BarChart label={label} fileName={label} bars={bars} format={formatNumber} height={heightOf(h)} />;
      }}
    </Loaded>
  );
}

const DeviceName = ({ device }: { device: Device }) => <Link to={`/devices/${device.id}`}>{device.name}</Link>;
const DeviceStatus = ({ device }: { device: Device }) => {
  const name = statusName(device.status);
  return <StatusMark kind={statusKinds[name]}>{useT()(`devices.status.${name}`)}</StatusMark>;
};

function FleetTable({ widget: { source, count = FEW_ROWS }, around }: WidgetProps) {
  const t = useT();
  const query = useDevices(around, {
    limit: String(count),
    sort: source === 'offline' ? '-last_connection_at' : 'name',
    ...(source === 'offline' ? { status: 'offline' } : {}),
  });
  return (
    <Loaded query={query}>
      {(rows) =>
        rows.length === 0 ? (
          <Nothing />
        ) : (
          <SmallTable
            className={styles.table}
            hasRowNames
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { key: 'name', title: t('fields.name'), render: (device) => <DeviceName device={device} /> },
              { key: 'status', title: t('fields.status'), render: (device) => <DeviceStatus device={device} /> },
              { key: 'model', title: t('fields.model'), render: ({ model }) => model },
            ]}
          />
        )
      }
    </Loaded>
  );
}

const IDENTITY = ['name', 'serial', 'mac', 'model', 'firmware', 'operator', 'wan_ip'] as const;

function Identity({ around }: WidgetProps) {
  const t = useT();
  return (
    <Loaded query={useDevice(around)}>
      {(device) => (
        <SmallTable
          className={styles.table}
          hasRowNames
          hidesHead
          rows={IDENTITY}
          keyOf={(name) => name}
          columns={[
            { key: 'name', title: '', render: (name) => t(`fields.${name}`) },
            { key: 'value', title: '', render: (name) => device[name] ?? '—' },
          ]}
        />
      )}
    </Loaded>
  );
}

function Lights({ widget: { count = 50 }, around }: WidgetProps) {
  return (
    <Loaded query={useDevices(around, { limit: String(count), sort: 'name' })}>
      {(rows) =>
        rows.length === 0 ? (
          <Nothing />
        ) : (
          <ul className={styles.lights}>
            {rows.map((device) => (
              <li key={device.id}>
                <StatusMark kind={statusKinds[statusName(device.status)]}>
                  <DeviceName device={device} />
                </StatusMark>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function Top({ widget: { source = '', count = FEW_ROWS }, around }: WidgetProps) {
  const t = useT();
  const valueOf = (device: Device): unknown => Object.entries(device).find(([name]) => name === source)?.[1];
  return (
    <Loaded query={useDevices(around, { limit: String(count), sort: `-${source}` })}>
      {(rows) => (
        <ol className={styles.top}>
          {rows
            .filter((device) => typeof valueOf(device) === 'number')
            .map((device) => (
              <li key={device.id}>
                <DeviceName device={device} /> <strong>{wordsOf(t, source, valueOf(device))}</strong>
              </li>
            ))}
        </ol>
      )}
    </Loaded>
  );
}

function DeviceMap({ widget: { h }, around }: WidgetProps) {
  const t = useT();
  const query = useWidgetData<{ latitude: number | null; longitude: number | null }>(`/devices/${around.deviceId}/location`, {}, around);
  return (
    <Loaded query={query}>
      {({ latitude, longitude }) =>
        latitude === null || longitude === null ? (
          <Nothing />
        ) : (
          <WorldMap
            label={t('map.location')}
            height={heightOf(h)}
            marks={[{ id: 'device', latitude, longitude, count: 1, kind: 'info', label: t('map.location') }]}
            focus={{ points: [{ latitude, longitude }] }}
          />
        )
      }
    </Loaded>
  );
}

/** The content of a widget. */
export function WidgetBody(props: WidgetProps) {
  const { widget, around } = props;
  const isFleet = around.kind === 'fleet';
  switch (widget.type) {
    case 'value':
      return isFleet ? <FleetValue {...props} /> : <DeviceValue {...props} />;
    case 'gauge':
      if (isFleet) return <FleetGauge {...props} />;
      return widget.source === 'signal' ? <SignalGauge {...props} /> : <OnlineGauge {...props} />;
    case 'line':
      return isFleet ? <FleetLine {...props} /> : <DeviceLine {...props} />;
    case 'states':
      return <States {...props} />;
    case 'bar':
      return <Bars {...props} />;
    case 'map':
      return isFleet ? <FleetMap query={around.filters} height={heightOf(widget.h) - 24} /> : <DeviceMap {...props} />;
    case 'table':
      return isFleet ? <FleetTable {...props} /> : <Identity {...props} />;
    case 'lights':
      return <Lights {...props} />;
    case 'top':
      return <Top {...props} />;
    case 'text':
      return <p className={styles.text}>{widget.text}</p>;
  }
}
