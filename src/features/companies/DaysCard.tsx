import { useQuery } from '@tanstack/react-query';
import { api } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Card } from '../../ui/Card.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './companies.module.css';

interface DaysCardProps<Day> {
  title: string;
  /** Answers the days, oldest first. */
  path: string;
  /** Said when there are none. */
  none: string;
  columns: readonly { title: string; show: (day: Day) => string }[];
  /** The grey line above, and the green one that is a part of it. */
  lines: { all: (day: Day) => number; part: (day: Day) => number };
  /** A row above those of several days. */
  total?: (days: readonly Day[]) => Day;
}

/** What a company and all below it had day by day: lines, and the same numbers as a table, newest first. */
export function DaysCard<Day extends { day: string }>({ title, path, none, columns, lines, total }: DaysCardProps<Day>) {
  const t = useT();
  const { data, error, refetch } = useQuery({ queryKey: ['companies', path], queryFn: async () => (await api.get<Day[]>(path)).data });
  if (error)
    return (
      <Card title={title}>
        <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={title} />
      </Card>
    );
  return (
    <Card title={title}>
      {data ? null : <Skeleton height={160} />}
      {data?.length === 0 ? <p className={styles.muted}>{none}</p> : null}
      {data && data.length > 1 ? <DayLines all={data.map(lines.all)} part={data.map(lines.part)} /> : null}
      {data && data.length > 0 ? (
        <div className={styles.days}>
          <table className={styles.numbers}>
            <thead>
              <tr>
                <th scope="col">{t('companies.page.day')}</th>
                {columns.map((column) => (
                  <th key={column.title} scope="col">
                    {column.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {[...(total && data.length > 1 ? [total(data)] : []), ...data.toReversed()].map((row) => (
                <tr key={row.day}>
                  <th scope="row">{row.day}</th>
                  {columns.map((column) => (
                    <td key={column.title}>{column.show(row)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </Card>
  );
}

/** Decoration over a table of days: from zero to the highest. */
function DayLines({ all, part }: { all: readonly number[]; part: readonly number[] }) {
  const highest = Math.max(1, ...all);
  const pointsOf = (values: readonly number[]) =>
    values.map((value, index) => `${(100 * index) / (values.length - 1)},${38 - (36 * value) / highest}`).join(' ');
  return (
    <svg className={styles.lines} viewBox="0 0 100 40" preserveAspectRatio="none" aria-hidden="true">
      <polyline className={styles.line} points={pointsOf(all)} />
      <polyline className={styles.lineOnline} points={pointsOf(part)} />
    </svg>
  );
}
