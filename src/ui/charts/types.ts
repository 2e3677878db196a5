/** One of the console's colours, which follow the theme. */
export type ChartColor = 'accent' | 'good' | 'bad' | 'warn' | 'idle';

/** Values over time; `null` where there is none, which is drawn as a gap. */
export interface TimeSeries {
  label: string;
  values: readonly (number | null)[];
  color: ChartColor;
  /** `high` and `low` are the edges of one band, `line` is a line. */
  kind: 'line' | 'high' | 'low';
}

/** A part of the time, in milliseconds. */
export interface TimeRange {
  from: number;
  to: number;
}

/** What both plots offer to the frame around them. */
export interface PlotHandle {
  canvas(): HTMLCanvasElement | undefined;
  /** Shows everything again after a zoom. */
  reset(): void;
}
