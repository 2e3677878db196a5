import { useCustom } from '@refinedev/core';
import { useMemo, type ComponentType } from 'react';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Card, ErrorState, Skeleton, SmallTable, TimeChart, type TimeSeries } from '../../ui/index.ts';
import styles from './companies.module.css';

const COLORS = ['accent', 'good', 'warn'] as const;

interface Column<Day> {
  title: string;
  value: (day: Day) => number;
  format: (value: number) => string;
}

interface DaysCardProps<Day> {
  title: string;
  /** Answers the days, oldest first. */
  path: string;
  /** Said when there are none. */
  none: string;
  columns: readonly Column<Day>[];
  /** A row above those of several days. */
  total?: (days: readonly Day[]) => Day;
  /** Below the title. */
  Note?: ComponentType<{ days: readonly Day[] }>;
}

/** What a company and all below it had day by day: lines, and the same numbers as a table, newest first. */
export function DaysCard<Day extends { day: string }>({ title, path, none, columns, total, Note }: DaysCardProps<Day>) {
  const t = useT();
  const { query } = useCustom<Day[], ApiError>({ url: path, method: 'get', errorNotification: false });
  const { error, refetch } = query;
  const data = query.data?.data;
  if (error)
    return (
      <Card title={title}>
        <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={title} />
      </Card>
    );
  return (
    <Card title={title}>
      {data && data.length > 0 && Note ? (
        <p className={styles.muted}>
          <Note days={data} />
        </p>
      ) : null}
      {data ? null : <Skeleton height={160} />}
      {data?.length === 0 ? <p className={styles.muted}>{none}</p> : null}
      {data && data.length > 1 ? <DayLines title={title} days={data} columns={columns} /> : null}
      {data && data.length > 0 ? (
        <div className={styles.days}>
          <SmallTable
            className={styles.numbers}
            hasRowNames
            columns={[
              { key: 'day', title: t('companies.page.day'), render: (row) => row.day },
              ...columns.map(({ title: name, value, format }) => ({ key: name, title: name, render: (row: Day) => format(value(row)) })),
            ]}
            rows={[...(total && data.length > 1 ? [total(data)] : []), ...data.toReversed()]}
            keyOf={(row) => row.day}
          />
        </div>
      ) : null}
    </Card>
  );
}

/** The days as lines, one for each column. */
function DayLines<Day extends { day: string }>({
  title,
  days,
  columns,
}: {
  title: string;
  days: readonly Day[];
  columns: readonly Column<Day>[];
}) {
  const times = useMemo(() => days.map(({ day }) => Date.parse(day)), [days]);
  const series = useMemo(
    () =>
      columns.map((column, index): TimeSeries => ({
        label: column.title,
        values: days.map(column.value),
        color: COLORS[index % COLORS.length] ?? 'accent',
        kind: 'line',
      })),
    // Columns are made again at each drawing; they say the same for the same days in the same language.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [days, columns[0]?.title],
  );
  return (
    <TimeChart
      label={title}
      fileName={title}
      times={times}
      series={series}
      format={columns[0]?.format ?? String}
      formatTime={(time) => new Date(time).toISOString().slice(0, 10)}
      height={180}
      hasTableBeside
    />
  );
}
