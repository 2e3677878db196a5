import { useMemo } from 'react';
import { formatBytes } from '../../engine/table/format.ts';
import { formatNumber, useT, type Translate } from '../../kernel/i18n/index.ts';
import { formatTime } from '../../kernel/time/index.ts';
import { TimeChart, type TimeRange, type TimeSeries } from '../../ui/index.ts';
import { comparePoints, drawPoints, withUsual, type Points } from './draw-points.ts';

/** Under an axis there is little room. */
const shortTimeOf = (time: number): string => formatTime(time, 'MM-DD HH:mm');

function words(t: Translate, unit: string, value: number): string {
  if (unit === 'tenths of °C') return t('devices.celsius', { value: formatNumber(Math.round(value) / 10) });
  if (unit === 'KiB') return formatBytes(value * 1024);
  return `${formatNumber(Math.round(value * 100) / 100)}${unit ? ` ${unit}` : ''}`;
}

interface ChartProps {
  name: string;
  unit: string;
  /** Unix seconds. */
  period: { start: number; end: number; step_seconds: number };
  range: TimeRange | null;
  onRange(range: TimeRange | null): void;
}

/** A metric of two devices, a line for each. */
export function ComparedChart({
  name,
  unit,
  devices,
  points,
  period,
  range,
  onRange,
}: ChartProps & { devices: [string, string]; points: [Points, Points] }) {
  const t = useT();
  const [[ownName, otherName], [own, others]] = [devices, points];
  const drawn = useMemo(() => comparePoints(own, others, period), [own, others, period]);
  const lines = useMemo(
    (): TimeSeries[] => [
      { label: ownName, values: drawn.first, color: 'accent', kind: 'line' },
      { label: otherName, values: drawn.second, color: 'warn', kind: 'line' },
    ],
    [ownName, otherName, drawn],
  );
  return (
    <TimeChart
      label={name}
      fileName={name}
      times={drawn.times}
      series={lines}
      format={(value) => words(t, unit, value)}
      formatTime={shortTimeOf}
      height={180}
      range={range}
      onRange={onRange}
    />
  );
}

/** A metric of a device: its average as a line over the lowest and highest reading, or over what is usual at that hour. */
export function MetricChart({
  name,
  unit,
  points,
  usual,
  period,
  range,
  onRange,
}: ChartProps & { points: Points; usual: Parameters<typeof withUsual>[1] | undefined }) {
  const t = useT();
  const isUsual = usual !== undefined && usual.length > 0;
  const { times, average, lowest, highest } = useMemo(
    () => drawPoints(usual && usual.length > 0 ? withUsual(points, usual) : points, period),
    [points, usual, period],
  );
  const lines = useMemo(
    (): TimeSeries[] => [
      { label: t(isUsual ? 'readings.usual_high' : 'readings.maximum'), values: highest, color: 'idle', kind: 'high' },
      { label: t('readings.average'), values: average, color: 'accent', kind: 'line' },
      { label: t(isUsual ? 'readings.usual_low' : 'readings.minimum'), values: lowest, color: 'idle', kind: 'low' },
    ],
    [t, isUsual, average, lowest, highest],
  );
  return (
    <TimeChart
      label={name}
      fileName={name}
      times={times}
      series={lines}
      format={(value) => words(t, unit, value)}
      formatTime={shortTimeOf}
      height={180}
      range={range}
      onRange={onRange}
    />
  );
}
