import type uPlot from 'uplot';
import type { ChartColors } from './colors.ts';
import type { TimeSeries } from './types.ts';

interface PlotSettings {
  size: { width: number; height: number };
  series: readonly TimeSeries[];
  colors: ChartColors;
  format(value: number): string;
  /** `time` in milliseconds. */
  formatTime(time: number): string;
  onCursor(index: number | undefined, left: number): void;
  onZoom(shown: { min: number; max: number }): void;
}

const FONT_PX = 12;
const LETTER_PX = 7;

/** The indices of values that are alone between gaps: no line goes through them, so they are dots. */
export function aloneAt(values: ArrayLike<number | null | undefined>): number[] {
  const has = (index: number): boolean => typeof values[index] === 'number';
  return Array.from({ length: values.length }, (_, index) => index).filter((index) => has(index) && !has(index - 1) && !has(index + 1));
}

/** The bands of a chart, in uPlot's numbers of series: each `high` with the next `low`. */
export function bandsOf(series: readonly TimeSeries[]): [number, number][] {
  const lows = series.flatMap(({ kind }, index) => (kind === 'low' ? [index + 1] : []));
  return series.flatMap(({ kind }, index): [number, number][] => {
    const low = kind === 'high' ? lows.shift() : undefined;
    return low === undefined ? [] : [[index + 1, low]];
  });
}

const HALF_AN_HOUR = 1800;

/** What the time axis shows, seconds: a single time is in its middle, and has an hour around it. */
export function rangeOf(min: number, max: number): [number, number] {
  return min === max ? [min - HALF_AN_HOUR, max + HALF_AN_HOUR] : [min, max];
}

/** Options of uPlot. */
export function plotOptions({ size, series, colors, format, formatTime, onCursor, onZoom }: PlotSettings): uPlot.Options {
  const axis = {
    stroke: colors.muted,
    font: `${FONT_PX}px sans-serif`,
    ticks: { stroke: colors.line, width: 1 },
    grid: { stroke: colors.line, width: 1 },
  };
  return {
    ...size,
    legend: { show: false },
    cursor: { drag: { x: true, y: false } },
    scales: { x: { time: true, range: (_, min, max) => rangeOf(min, max) } },
    axes: [
      { ...axis, space: 110, values: (_, splits) => splits.map((seconds) => formatTime(seconds * 1000)) },
      {
        ...axis,
        values: (_, splits) => splits.map(format),
        size: (_, values) => 16 + LETTER_PX * Math.max(3, ...(values ?? []).map((words) => words.length)),
      },
    ],
    series: [
      {},
      ...series.map(({ label, color, kind }): uPlot.Series => ({
        label,
        stroke: colors[color],
        width: kind === 'line' ? 2 : 0.5,
        spanGaps: false,
        points: { show: true, size: 5, fill: colors[color], filter: (plot, index) => aloneAt(plot.data[index] ?? []) },
      })),
    ],
    bands: bandsOf(series).map((pair) => ({ series: pair, fill: colors.band })),
    hooks: {
      setCursor: [({ cursor }) => onCursor(cursor.idx ?? undefined, cursor.left ?? 0)],
      setScale: [
        ({ scales }, key) => {
          const { min, max } = scales['x'] ?? {};
          if (key === 'x' && typeof min === 'number' && typeof max === 'number') onZoom({ min, max });
        },
      ],
    },
  };
}
