import { lazy, Suspense, useRef } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Skeleton } from '../Skeleton.tsx';
import { ChartFrame } from './ChartFrame.tsx';
import type { ChartColor, PlotHandle } from './types.ts';
import styles from './charts.module.css';

/** One layer of every column. */
export interface Layer {
  label: string;
  color: ChartColor;
  /** One for each column. */
  values: readonly number[];
}

export interface StackedChartProps {
  label: string;
  /** Without ending. */
  fileName: string;
  /** What the columns stand for, from left to right. */
  columns: readonly string[];
  layers: readonly Layer[];
  /** A value with its unit. */
  format(value: number): string;
  height?: number;
  /** The same numbers are in a table beside it, so it brings none. */
  hasTableBeside?: boolean;
}

const StackedPlot = lazy(() => import('./StackedPlot.tsx'));

/** Columns of layers, such as the bytes of each day by SIM: hover reads them; the same as a table, PNG and CSV. */
export function StackedChart({ label, fileName, columns, layers, format, height = 180, hasTableBeside = false }: StackedChartProps) {
  const t = useT();
  const plot = useRef<PlotHandle>(null);
  const head = [t('charts.name'), ...layers.map((layer) => layer.label)];
  const rowsOf = <T,>(cell: (value: number) => T) =>
    columns.map((column, index) => [column, ...layers.map(({ values }) => cell(values[index] ?? 0))]);
  const table = () => ({ head, rows: rowsOf(format).map((row) => row.map(String)) });
  return (
    <ChartFrame
      label={label}
      fileName={fileName}
      plot={plot}
      isZoomed={false}
      {...(hasTableBeside ? {} : { table })}
      csv={() => [head, ...rowsOf((value) => value)]}
    >
      <Suspense fallback={<Skeleton height={height} />}>
        <StackedPlot label={label} columns={columns} layers={layers} format={format} height={height} ref={plot} />
      </Suspense>
      <ul className={styles.legend}>
        {layers.map((layer) => (
          <li key={layer.label}>
            <span className={`${styles.swatch} ${styles[layer.color]}`} aria-hidden />
            {layer.label}
          </li>
        ))}
      </ul>
    </ChartFrame>
  );
}
