import { drawSeries, type Series } from '../../../engine/readings/draw-series.ts';
import { formatNumber, useT, type Translate } from '../../../kernel/i18n/index.ts';
import { SECOND } from '../../../kernel/time/index.ts';
import { BarChart, TimeChart, type Bar } from '../../../ui/index.ts';
import { drawPoints, type Points } from '../draw-points.ts';
import { statusName } from '../status.ts';
import { startOf, useWidgetData, type WidgetProps } from './dashboard-data.ts';
import { BARS, heightOf, Loaded, MOST_BARS, Nothing, timeOf, useCounts, usePresence, wordsOf, percent } from './widget-parts.tsx';
import styles from './dashboards.module.css';

export function FleetLine({ widget: { source = '', h }, around }: WidgetProps) {
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

export function DeviceLine({ widget: { source = '', h }, around }: WidgetProps) {
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

export function States({ around }: WidgetProps) {
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

/** The devices that the dashboard follows, counted by one of their fields, most first. */
function barsOf(t: Translate, source: string, counts: Record<string, number> = {}): Bar[] {
  const entries = Object.entries(counts).sort((a, b) => b[1] - a[1]);
  return entries.slice(0, MOST_BARS).map(([name, value], index): Bar => ({
    label: source === 'status' ? t(`devices.status.${statusName(name === 'null' ? null : Number(name))}`) : name.replaceAll('_', ' '),
    value,
    color:
      source === 'status' ? (({ '1': 'good', '0': 'bad', '2': 'warn' } as const)[name] ?? 'idle') : (BARS[index % BARS.length] ?? 'accent'),
  }));
}

export function Bars({ widget: { source = '', h }, around }: WidgetProps) {
  const t = useT();
  const label = t(`fields.${source}`);
  return (
    <Loaded query={useCounts(around)}>
      {(counts) => {
        const bars = barsOf(t, source, counts[source]);
        if (bars.length === 0) return <Nothing />;
        return <BarChart label={label} fileName={label} bars={bars} format={formatNumber} height={heightOf(h)} />;
      }}
    </Loaded>
  );
}

const PIE = {
  accent: 'var(--c-accent)',
  good: 'var(--c-good)',
  warn: 'var(--c-warn)',
  bad: 'var(--c-bad)',
  idle: 'var(--c-idle)',
} as const;
const RADIUS = 15.9155; // Its circle is 100 long, so that a share is a length.

export function Pie({ widget: { source = '' }, around }: WidgetProps) {
  const t = useT();
  const label = t(`fields.${source}`);
  return (
    <Loaded query={useCounts(around)}>
      {(counts) => {
        const bars = barsOf(t, source, counts[source]);
        const all = bars.reduce((total, { value }) => total + value, 0);
        if (all === 0) return <Nothing />;
        const shares = bars.map(({ value }) => (value / all) * 100);
        return (
          <div className={styles.pie}>
            <svg viewBox="0 0 42 42" role="img" aria-label={label}>
              {bars.map((bar, index) => (
                <circle
                  key={bar.label}
                  cx="21"
                  cy="21"
                  r={RADIUS}
                  className={styles.slice}
                  style={{ stroke: PIE[bar.color], strokeOpacity: source === 'status' ? 1 : 1 - Math.floor(index / BARS.length) * 0.35 }}
                  strokeDasharray={`${shares[index]} ${100 - (shares[index] ?? 0)}`}
                  strokeDashoffset={25 - shares.slice(0, index).reduce((total, share) => total + share, 0)}
                />
              ))}
            </svg>
            <ul>
              {bars.map((bar, index) => (
                <li key={bar.label}>
                  <span className={styles.key} style={{ background: PIE[bar.color] }} aria-hidden="true" />
                  <span className={styles.keyName}>{bar.label}</span> <strong>{formatNumber(bar.value)}</strong>
                  <span className={styles.muted}>{percent(t, shares[index] ?? 0)}</span>
                </li>
              ))}
            </ul>
          </div>
        );
      }}
    </Loaded>
  );
}
