import { drawSeries, type Series } from '../../../engine/readings/draw-series.ts';
import { formatNumber, useT } from '../../../kernel/i18n/index.ts';
import { SECOND } from '../../../kernel/time/index.ts';
import { BarChart, TimeChart } from '../../../ui/index.ts';
import { drawPoints, type Points } from '../draw-points.ts';
import { barsOf, slicesOf } from './counted-bars.ts';
import { useSourceName } from './source-names.ts';
import { startOf, useWidgetData, type WidgetProps } from './dashboard-data.ts';
import { chartHeightOf, Loaded, Nothing, timeOf, useCounts, usePresence, wordsOf, percent } from './widget-parts.tsx';
import styles from './dashboards.module.css';

export function FleetLine(props: WidgetProps) {
  // Averages are kept for companies and tags alone.
  return props.around.filters['site_id'] === undefined ? <FleetAverage {...props} /> : <Nothing />;
}

function FleetAverage({ widget: { source = '', h }, around }: WidgetProps) {
  const t = useT();
  const path = around.tagId === undefined ? `/companies/${around.companyId}/series` : `/tags/${around.tagId}/series`;
  const query = useWidgetData<Series>(path, { parameter: source, start_date: startOf(around) }, around);
  const name = useSourceName(source);
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
            height={chartHeightOf(h)}
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
  const name = useSourceName(source);
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
            height={chartHeightOf(h)}
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

export function Bars({ widget: { source = '', h }, around }: WidgetProps) {
  const t = useT();
  const label = t(`fields.${source}`);
  return (
    <Loaded query={useCounts(around)}>
      {(counts) => {
        const bars = barsOf(t, source, counts[source]);
        if (bars.length === 0) return <Nothing />;
        return <BarChart label={label} fileName={label} bars={bars} format={formatNumber} height={chartHeightOf(h)} />;
      }}
    </Loaded>
  );
}

const RADIUS = 15.9155; // Its circle is 100 long, so that a share is a length.
export function Pie({ widget: { source = '' }, around }: WidgetProps) {
  const t = useT();
  return (
    <Loaded query={useCounts(around)}>
      {(counts) => {
        const slices = slicesOf(t, source, counts[source]);
        if (slices.length === 0) return <Nothing />;
        const tone = (index: number): string => (source === 'status' ? `var(--c-${slices[index]?.color})` : `var(--slice-${index})`);
        return (
          <div className={styles.pie}>
            <svg viewBox="0 0 42 42" role="img" aria-label={t(`fields.${source}`)}>
              {slices.map(({ label, share, before }, index) => (
                <circle
                  key={label}
                  cx="21"
                  cy="21"
                  r={RADIUS}
                  className={styles.slice}
                  style={{ stroke: tone(index) }}
                  strokeDasharray={`${share} ${100 - share}`}
                  strokeDashoffset={25 - before}
                />
              ))}
            </svg>
            <ul>
              {slices.map(({ label, value, share }, index) => (
                <li key={label}>
                  <span className={styles.key} style={{ background: tone(index) }} aria-hidden="true" />
                  <span className={styles.keyName}>{label}</span> <strong>{formatNumber(value)}</strong>
                  <span className={styles.muted}>{percent(t, share)}</span>
                </li>
              ))}
            </ul>
          </div>
        );
      }}
    </Loaded>
  );
}
