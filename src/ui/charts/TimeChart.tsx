import { lazy, Suspense, useRef, useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { cx } from '../cx.ts';
import { Skeleton } from '../Skeleton.tsx';
import { ChartFrame } from './ChartFrame.tsx';
import type { PlotHandle, TimeRange, TimeSeries } from './types.ts';
import styles from './charts.module.css';

export interface TimeChartProps {
  label: string;
  /** Without ending. */
  fileName: string;
  /** Milliseconds, rising, as many as each series has values. A time without any value keeps a gap open. */
  times: readonly number[];
  series: readonly TimeSeries[];
  /** A value with its unit. */
  format(value: number): string;
  formatTime(time: number): string;
  height?: number;
  /** The same numbers are in a table beside it, so it brings none. */
  hasTableBeside?: boolean;
  /** The part of the time that is shown, for owners that keep it, as in the address; null: all of it. The chart keeps it itself without this. */
  range?: TimeRange | null;
  onRange?(range: TimeRange | null): void;
}

const TimePlot = lazy(() => import('./TimePlot.tsx'));

/** Values over time as lines and bands: hover or arrow keys read them, dragging or + and − zoom; the same as a table, PNG and CSV. Its code comes when it is first shown. */
export function TimeChart(props: TimeChartProps) {
  const { label, fileName, times, series, format, formatTime, height = 220, hasTableBeside = false, range, onRange } = props;
  const t = useT();
  const plot = useRef<PlotHandle>(null);
  const [own, setOwn] = useState<TimeRange>();
  const shown = range === undefined ? own : (range ?? undefined);
  const handleZoom = (next: TimeRange | undefined): void => {
    setOwn(next);
    onRange?.(next ?? null);
  };
  const hasValue = (index: number): boolean => series.some(({ values }) => typeof values[index] === 'number');
  const indices = (): number[] => times.flatMap((_, index) => (hasValue(index) ? [index] : []));
  const head = [t('charts.time'), ...series.map((one) => one.label)];
  const words = (value: number | null | undefined): string => (typeof value === 'number' ? format(value) : '–');
  const table = () => ({
    head,
    rows: indices().map((index) => [formatTime(times[index] ?? 0), ...series.map(({ values }) => words(values[index]))]),
  });
  return (
    <ChartFrame
      label={label}
      fileName={fileName}
      plot={plot}
      isZoomed={shown !== undefined}
      {...(hasTableBeside ? {} : { table })}
      csv={() => [head, ...indices().map((index) => [formatTime(times[index] ?? 0), ...series.map(({ values }) => values[index] ?? null)])]}
    >
      <Suspense fallback={<Skeleton height={height} />}>
        <TimePlot
          label={label}
          times={times}
          series={series}
          format={format}
          formatTime={formatTime}
          height={height}
          ref={plot}
          range={shown}
          onZoom={handleZoom}
        />
      </Suspense>
      <ul className={styles.legend}>
        {series.map((one) => (
          <li key={one.label}>
            <span className={cx(styles.swatch, styles[one.color])} />
            {one.label}
          </li>
        ))}
      </ul>
    </ChartFrame>
  );
}
