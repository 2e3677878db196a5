import type { CellProps } from '../../engine/resources/registry.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { formatTime, parseWire } from '../../kernel/time/index.ts';
import { useCollectedValue, useTrend } from './trends.ts';
import styles from './devices.module.css';

const WIDTH = 96;
const HEIGHT = 22;
const LOWEST_DBM = -115;
const HIGHEST_DBM = -50;

const idOf = (row: CellProps['row']): number => Number(row['id']);

/** Points as strokes, parted where a value is missing. */
function strokes(values: readonly (number | null)[], yOf: (value: number) => number): string {
  const step = WIDTH / Math.max(1, values.length - 1);
  return values
    .map((value, index) => {
      if (value === null) return '';
      const start = index === 0 || values[index - 1] === null;
      // A single point would not be seen.
      const dot = start && (values[index + 1] ?? null) === null ? 'h1.5' : '';
      return `${start ? 'M' : 'L'}${(index * step).toFixed(1)} ${yOf(value).toFixed(1)}${dot}`;
    })
    .join('');
}

/** The signal of the last day as a line. */
export function SignalDayCell({ row }: CellProps) {
  const t = useT();
  const trend = useTrend(idOf(row));
  const values = trend?.signal.filter((value) => value !== null) ?? [];
  if (values.length === 0) return <span className={styles.muted}>—</span>;
  const words = t('devices.trend.signal', { low: Math.min(...values), high: Math.max(...values) });
  const yOf = (value: number) =>
    2 + ((HIGHEST_DBM - Math.max(LOWEST_DBM, Math.min(HIGHEST_DBM, value))) * (HEIGHT - 4)) / (HIGHEST_DBM - LOWEST_DBM);
  return (
    <svg role="img" aria-label={words} width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles.spark}>
      <title>{words}</title>
      <path d={strokes(trend?.signal ?? [], yOf)} />
    </svg>
  );
}

/** The time online of the last day as 24 bars. */
export function OnlineDayCell({ row }: CellProps) {
  const t = useT();
  const trend = useTrend(idOf(row));
  const values = trend?.online.filter((value) => value !== null) ?? [];
  if (values.length === 0) return <span className={styles.muted}>—</span>;
  const words = t('devices.trend.online', { percent: Math.round(values.reduce((sum, value) => sum + value, 0) / values.length) });
  const step = WIDTH / (trend?.online.length ?? 1);
  const bar = (value: number, index: number) => {
    const height = Math.max(2, (value * HEIGHT) / 100);
    return `M${(index * step).toFixed(1)} ${(HEIGHT - height).toFixed(1)}h${(step - 1).toFixed(1)}v${height.toFixed(1)}h-${(step - 1).toFixed(1)}z`;
  };
  const draw = (isWhole: boolean) =>
    (trend?.online ?? []).map((value, index) => (value === null || value >= 99 !== isWhole ? '' : bar(value, index))).join('');
  return (
    <svg role="img" aria-label={words} width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
      <title>{words}</title>
      <path className={styles.barLit} d={draw(true)} />
      <path className={styles.barPartly} d={draw(false)} />
    </svg>
  );
}

/** What the device answered last for a variable of a monitoring template. */
export function CollectedCell({ row, column }: CellProps) {
  const last = useCollectedValue(idOf(row), column.key);
  if (last === undefined) return <span className={styles.muted}>—</span>;
  return (
    <span title={formatTime(parseWire(last.created_at) ?? 0, 'YYYY-MM-DD HH:mm')}>
      {typeof last.value === 'number' ? formatNumber(Math.round(last.value * 100) / 100) : last.value}
    </span>
  );
}
