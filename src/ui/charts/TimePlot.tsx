import { useCallback, useEffect, useImperativeHandle, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { cx } from '../cx.ts';
import { canDraw, useChartColors } from './colors.ts';
import { plotOptions } from './plot-options.ts';
import type { PlotHandle, TimeRange, TimeSeries } from './types.ts';
import styles from './charts.module.css';

interface TimePlotProps {
  label: string;
  times: readonly number[];
  series: readonly TimeSeries[];
  format(value: number): string;
  formatTime(time: number): string;
  height: number;
  ref: Ref<PlotHandle>;
  /** What is shown to begin with; without it all. */
  range: TimeRange | undefined;
  /** What is shown now; undefined for all of it. */
  onZoom(range: TimeRange | undefined): void;
}

const ZOOM = 0.6;

/** The drawing of a TimeChart by uPlot. */
export default function TimePlot({ label, times, series, format, formatTime, height, ref, range, onZoom }: TimePlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot>(undefined);
  const [at, setAt] = useState<{ index: number; isRight: boolean }>();
  const colors = useChartColors();
  // Callers make these again at each drawing; a chart is made again only for other values.
  const words = useRef({ format, formatTime, onZoom, range });
  useEffect(() => void (words.current = { format, formatTime, onZoom, range }));

  useEffect(() => {
    const frame = place.current;
    if (!frame || !canDraw()) return undefined;
    const whole = { min: (times[0] ?? 0) / 1000, max: (times.at(-1) ?? 0) / 1000 };
    // The first scale is the plot's own, of all values: nobody zoomed.
    let isSettled = false;
    const plot = new uPlot(
      plotOptions({
        size: { width: frame.clientWidth, height },
        series,
        colors,
        format: (value) => words.current.format(value),
        formatTime: (time) => words.current.formatTime(time),
        onCursor: (index, left) => setAt(index === undefined ? undefined : { index, isRight: left > frame.clientWidth / 2 }),
        onZoom: ({ min, max }) => {
          if (!isSettled) return;
          words.current.onZoom(min > whole.min || max < whole.max ? { from: min * 1000, to: max * 1000 } : undefined);
        },
      }),
      [times.map((time) => time / 1000), ...series.map(({ values }) => [...values])],
      frame,
    );
    drawn.current = plot;
    const { range: first } = words.current;
    if (first) plot.setScale('x', { min: first.from / 1000, max: first.to / 1000 });
    const settling = requestAnimationFrame(() => (isSettled = true));
    const observer = new ResizeObserver(() => plot.setSize({ width: frame.clientWidth, height }));
    observer.observe(frame);
    return () => {
      cancelAnimationFrame(settling);
      observer.disconnect();
      plot.destroy();
    };
  }, [times, series, colors, height]);

  // When another chart of the page was zoomed.
  const [from, to] = [range?.from, range?.to];
  useEffect(() => {
    const whole = [times[0] ?? 0, times.at(-1) ?? 0] as const;
    drawn.current?.setScale('x', { min: (from ?? whole[0]) / 1000, max: (to ?? whole[1]) / 1000 });
  }, [times, from, to]);

  const reset = useCallback(() => drawn.current?.setScale('x', { min: (times[0] ?? 0) / 1000, max: (times.at(-1) ?? 0) / 1000 }), [times]);
  useImperativeHandle(ref, () => ({ canvas: () => drawn.current?.ctx.canvas, reset }), [reset]);
  const moveTo = (index: number): void => {
    const plot = drawn.current;
    const time = times[index];
    if (plot && time !== undefined) plot.setCursor({ left: plot.valToPos(time / 1000, 'x'), top: 0 });
  };
  const zoom = (factor: number): void => {
    const { min, max } = drawn.current?.scales['x'] ?? {};
    if (min === undefined || max === undefined) return;
    const middle = at ? (times[at.index] ?? 0) / 1000 : (min + max) / 2;
    const limit = { min: (times[0] ?? 0) / 1000, max: (times.at(-1) ?? 0) / 1000 };
    drawn.current?.setScale('x', {
      min: Math.max(limit.min, middle - (middle - min) * factor),
      max: Math.min(limit.max, middle + (max - middle) * factor),
    });
  };
  const last = times.length - 1;
  const index = at?.index ?? 0;
  const handleKey = (event: KeyboardEvent) => {
    const keys: Record<string, () => void> = {
      ArrowLeft: () => moveTo(Math.max(0, index - 1)),
      ArrowRight: () => moveTo(Math.min(last, at ? index + 1 : 0)),
      Home: () => moveTo(0),
      End: () => moveTo(last),
      '+': () => zoom(ZOOM),
      '-': () => zoom(1 / ZOOM),
      0: reset,
    };
    const run = keys[event.key];
    if (!run || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    run();
  };
  const readings = series.map((one) => ({ ...one, value: one.values[index] }));
  const time = formatTime(times[index] ?? 0);
  const said = readings.map(({ label: name, value }) => `${name} ${typeof value === 'number' ? format(value) : '–'}`);
  return (
    <div
      ref={place}
      className={styles.plot}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={index}
      aria-valuetext={`${time}: ${said.join(', ')}`}
      onKeyDown={handleKey}
      onBlur={() => setAt(undefined)}
    >
      {at ? (
        <div className={styles.tooltip} style={at.isRight ? { left: 8 } : { right: 8 }} aria-hidden="true">
          <p className={styles.time}>{time}</p>
          {readings.map(({ label: name, value, color }) => (
            <p key={name}>
              <span className={cx(styles.swatch, styles[color])} />
              {name} {typeof value === 'number' ? format(value) : '–'}
            </p>
          ))}
        </div>
      ) : null}
    </div>
  );
}
