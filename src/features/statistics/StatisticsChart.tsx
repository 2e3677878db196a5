import { useCustom } from '@refinedev/core';
import { useMemo } from 'react';
import { useLocation } from 'react-router';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { Card, TimeChart, type TimeSeries } from '../../ui/index.ts';
import { CompanyBars, type Comparison } from './CompanyBars.tsx';
import styles from './statistics.module.css';

type Period = Record<string, string | number | null>;
interface Drawing {
  path: string;
  /** The member that names the period, a day or a month. */
  at: 'day' | 'month';
  lines: readonly [string, string, string];
}

const DAYS: Drawing = { path: '/statistics/days', at: 'day', lines: ['devices_reporting', 'connections', 'devices_joined'] };
const MONTHS: Drawing = { path: '/statistics/months', at: 'month', lines: ['devices_active', 'devices_joined', 'jobs'] };
const COLORS = ['accent', 'good', 'warn'] as const;
const MOST_PERIODS = 31;

/** The drawing above a list of statistics; undefined above lists that are no figures over time. */
function drawingFor(pathname: string): Drawing | undefined {
  if (pathname.endsWith('/months-stats')) return MONTHS;
  return pathname.endsWith('/general') || pathname.endsWith('/unique-devices') ? DAYS : undefined;
}

const COMPARISONS: Record<string, Comparison> = {
  general: { path: '/statistics/companies', sort: '-devices_count', title: 'devices', value: (row) => row['devices_count'] ?? 0 },
  people: { path: '/statistics/people', sort: '-people_count', title: 'users', value: (row) => row['people_count'] ?? 0 },
  'online-devices': {
    path: '/statistics/online',
    sort: '-offline',
    title: 'online',
    value: ({ online = 0, offline = 0 }) => Math.round((100 * online) / (online + offline)),
    isPercent: true,
  },
};

/** Charts above a list of statistics: companies side by side, and the last days or months as lines. */
export function StatisticsChart() {
  const { pathname } = useLocation();
  const drawing = drawingFor(pathname);
  const comparison = COMPARISONS[pathname.split('/').at(-1) ?? ''];
  if (!drawing && !comparison) return null;
  return (
    <div className={styles.charts}>
      {comparison ? <CompanyBars key={comparison.path} {...comparison} /> : null}
      {drawing ? <PeriodLines key={drawing.at} drawing={drawing} /> : null}
    </div>
  );
}

/** The last days or months as lines, from the first in which there was anything; nothing while that is fewer than two. */
function PeriodLines({ drawing: { path, at, lines } }: { drawing: Drawing }) {
  const t = useT();
  const { query } = useCustom<Period[], ApiError>({
    url: path,
    method: 'get',
    config: { query: { limit: MOST_PERIODS, sort: at } },
    // The list below says what went wrong.
    errorNotification: false,
  });
  const rows = query.data?.data;
  const periods = useMemo(() => {
    const first = rows?.findIndex((row) => lines.some((name) => Number(row[name] ?? 0) > 0)) ?? -1;
    return first < 0 ? [] : (rows?.slice(first) ?? []);
  }, [rows, lines]);
  const times = useMemo(() => periods.map((row) => Date.parse(String(row[at]))), [periods, at]);
  const series = useMemo(
    () =>
      lines
        .filter((name) => periods.some((row) => row[name] !== undefined))
        .map((name, index): TimeSeries => ({
          label: t(`fields.${name}`),
          values: periods.map((row) => (typeof row[name] === 'number' ? row[name] : null)),
          color: COLORS[index % COLORS.length] ?? 'accent',
          kind: 'line',
        })),
    [periods, lines, t],
  );
  const title = t(at === 'day' ? 'statistics.page.unique-devices' : 'statistics.page.month-statistics');
  if (periods.length < 2) return null;
  return (
    <Card title={title}>
      <TimeChart
        label={title}
        fileName={title}
        times={times}
        series={series}
        format={formatNumber}
        formatTime={(time) => new Date(time).toISOString().slice(0, at === 'day' ? 10 : 7)}
        height={150}
        hasTableBeside
      />
    </Card>
  );
}
