import { lazy, Suspense, useRef, useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { cx } from '../cx.ts';
import { Skeleton } from '../Skeleton.tsx';
import { ChartFrame } from './ChartFrame.tsx';
import type { PlotHandle, TimeSeries } from './types.ts';
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
}

const TimePlot = lazy(() => import('./TimePlot.tsx'));

/** Values over time as lines and bands: hover or arrow keys read them, dragging or + and − zoom; the same as a table, PNG and CSV. Its code comes when it is first shown. */
export function TimeChart(props: TimeChartProps) {
  const { label, fileName, times, series, format, formatTime, height = 220, hasTableBeside = false } = props;
  const t = useT();
  const plot = useRef<PlotHandle>(null);
  const [isZoomed, setZoomed] = useState(false);
  const hasValue = (index: number): boolean => series.some(({ values }) => typeof values[index] === 'number');
  const indices = times.flatMap((_, index) => (hasValue(index) ? [index] : []));
  const head = [t('charts.time'), ...series.map((one) => one.label)];
  const words = (value: number | null | undefined): string => (typeof value === 'number' ? format(value) : '–');
  const table = {
    head,
    rows: indices.map((index) => [formatTime(times[index] ?? 0), ...series.map(({ values }) => words(values[index]))]),
  };
  return (
    <ChartFrame
      label={label}
      fileName={fileName}
      plot={plot}
      isZoomed={isZoomed}
      {...(hasTableBeside ? {} : { table })}
      csv={() => [head, ...indices.map((index) => [formatTime(times[index] ?? 0), ...series.map(({ values }) => values[index] ?? null)])]}
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
          onZoom={setZoomed}
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
