import type { ReactNode } from 'react';
import type { Device } from '../../../../schemas/_generated/contract.ts';
import { formatBytes } from '../../../engine/table/format.ts';
import type { ApiError } from '../../../kernel/http/index.ts';
import { formatNumber, useT, type Translate } from '../../../kernel/i18n/index.ts';
import { formatTime } from '../../../kernel/time/index.ts';
import { Button, Skeleton } from '../../../ui/index.ts';
import { startOf, useWidgetData, type DashboardContext } from './dashboard-data.ts';
import { ROW_PX } from './grid.ts';
import styles from './dashboards.module.css';

export const HEAD_PX = 72;
export const SIGNAL = { lowest: -120, highest: -50 };
export const FEW_ROWS = 10;

export const heightOf = (rows: number): number => Math.max(80, rows * ROW_PX - HEAD_PX);
/** The line of buttons above a chart. */
const CHART_TOOLS_PX = 44;
export const chartHeightOf = (rows: number): number => heightOf(rows) - CHART_TOOLS_PX;
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

type Counts = Record<string, Record<string, number>>;
export const STATUS_OF: Record<string, string> = { online: '1', offline: '0', pending: '2' };

export function useCounts(around: DashboardContext) {
  return useWidgetData<Counts>('/devices/statistics', { ...around.filters }, around);
}

export const sum = (counts: Record<string, number> = {}): number => Object.values(counts).reduce((total, count) => total + count, 0);

/** The device of a dashboard. */
export function useDevice(around: DashboardContext) {
  return useWidgetData<Device>(`/devices/${around.deviceId}`, {}, around);
}

interface Presence {
  spans: { from: number; to: number; is_online: boolean }[];
  online_percent: number | null;
}

export function usePresence(around: DashboardContext) {
  return useWidgetData<Presence>(`/devices/${around.deviceId}/presence`, { start_date: startOf(around) }, around);
}

export const percent = (t: Translate, value: number | null): string =>
  value === null ? '—' : t('dashboards.percent', { value: formatNumber(Math.floor(value * 10) / 10) });
