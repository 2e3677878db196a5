import { lazy, Suspense, useRef } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Skeleton } from '../Skeleton.tsx';
import { ChartFrame } from './ChartFrame.tsx';
import type { ChartColor, PlotHandle } from './types.ts';

export interface Bar {
  label: string;
  value: number;
  color: ChartColor;
}

export interface BarChartProps {
  label: string;
  /** Without ending. */
  fileName: string;
  bars: readonly Bar[];
  /** A value with its unit. */
  format(value: number): string;
  /** Pixels; without it, enough for the name of every bar. */
  height?: number;
  /** A bar was clicked; give the same way beside the chart for those who use no mouse. */
  onChoose?(index: number): void;
  /** The same numbers are in a table or list beside it, so it brings none. */
  hasTableBeside?: boolean;
}

const BAR_PX = 22;
const AXIS_PX = 40;
const heightFor = (bars: number): number => Math.max(160, bars * BAR_PX + AXIS_PX);

const BarPlot = lazy(() => import('./BarPlot.tsx'));

/** Values side by side as bars: hover reads them; the same as a table, PNG and CSV. Its code comes when it is first shown. */
export function BarChart({
  label,
  fileName,
  bars,
  format,
  height = heightFor(bars.length),
  onChoose,
  hasTableBeside = false,
}: BarChartProps) {
  const t = useT();
  const plot = useRef<PlotHandle>(null);
  const head = [t('charts.name'), t('charts.value')];
  const table = () => ({ head, rows: bars.map((bar) => [bar.label, format(bar.value)]) });
  return (
    <ChartFrame
      label={label}
      fileName={fileName}
      plot={plot}
      isZoomed={false}
      {...(hasTableBeside ? {} : { table })}
      csv={() => [head, ...bars.map((bar) => [bar.label, bar.value])]}
    >
      <Suspense fallback={<Skeleton height={height} />}>
        <BarPlot label={label} bars={bars} format={format} height={height} ref={plot} {...(onChoose ? { onChoose } : {})} />
      </Suspense>
    </ChartFrame>
  );
}
