import type { ReactNode } from 'react';
import { formatBytes } from '../../../engine/table/format.ts';
import type { ApiError } from '../../../kernel/http/index.ts';
import { formatNumber, useT, type Translate } from '../../../kernel/i18n/index.ts';
import { formatTime } from '../../../kernel/time/index.ts';
import { Button, Skeleton } from '../../../ui/index.ts';
import { ROW_PX } from './grid.ts';
import styles from './dashboards.module.css';

const HEAD_PX = 62;

export const heightOf = (rows: number): number => Math.max(80, rows * ROW_PX - HEAD_PX);
export const timeOf = (time: number): string => formatTime(time, 'MM-DD HH:mm');
/** A field of a device with its unit. */
export function wordsOf(t: Translate, field: string, value: unknown): string {
  if (typeof value === 'string') return value || '—';
  if (typeof value !== 'number') return '—';
  if (field === 'sent' || field === 'received') return formatBytes(value);
  if (field === 'temperature') return t('devices.celsius', { value: formatNumber(Math.round(value) / 10) });
  if (field === 'signal' || field === 'rsrp') return t('devices.dbm', { value: formatNumber(Math.round(value)) });
  if (field === 'router_uptime') return t('dashboards.hours', { value: formatNumber(Math.round(value / 3600)) });
  return formatNumber(Math.round(value * 100) / 100);
}
interface Answer<T> {
  data: { data: T } | undefined;
  error: ApiError | null;
  refetch(): unknown;
}
/** What a widget shows while its numbers are on the way, and when they do not come. */
export function Loaded<T>({ query, children }: { query: Answer<T>; children(data: T): ReactNode }) {
  const t = useT();
  const data = query.data?.data;
  if (data !== undefined) return children(data);
  if (!query.error) return <Skeleton height={80} />;
  return (
    <div role="alert" className={styles.failed}>
      <p>{t('dashboards.failed')}</p>
      <Button size="small" onClick={() => void query.refetch()}>
        {t('dashboards.again')}
      </Button>
    </div>
  );
}
export const Nothing = () => <p className={styles.muted}>{useT()('dashboards.nothing')}</p>;
export const Big = ({ children }: { children: ReactNode }) => <p className={styles.big}>{children}</p>;
export function Gauge({ value, least, most, words }: { value: number | null; least: number; most: number; words: string }) {
  const share = value === null ? 0 : Math.max(0, Math.min(1, (value - least) / (most - least)));
  const end = { x: 50 - 40 * Math.cos(Math.PI * share), y: 50 - 40 * Math.sin(Math.PI * share) };
  return (
    <div className={styles.gauge}>
      <svg viewBox="0 0 100 56" role="img" aria-label={words}>
        <path d="M10 50 A40 40 0 0 1 90 50" className={styles.gaugeTrack} />
        {share > 0 ? <path d={`M10 50 A40 40 0 0 1 ${end.x.toFixed(2)} ${end.y.toFixed(2)}`} className={styles.gaugeValue} /> : null}
      </svg>
      <strong>{words}</strong>
    </div>
  );
}
export const percent = (t: Translate, value: number | null): string =>
  value === null ? '—' : t('dashboards.percent', { value: formatNumber(Math.floor(value * 10) / 10) });
