import { useQuery } from '@tanstack/react-query';
import { api } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { Card } from '../../ui/Card.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './companies.module.css';

interface Day {
  day: string;
  devices: number;
  online: number;
  users: number;
}

/** Devices, devices online and users of a company and all below it, day by day: lines, and the same numbers as a table. */
export function CompanyDays({ id }: { id: number }) {
  const t = useT();
  const { data, error, refetch } = useQuery({
    queryKey: ['companies', 'days', id],
    queryFn: async () => (await api.get<Day[]>(`/companies/${id}/days`)).data,
  });
  return (
    <Card title={t('companies.page.days')}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('companies.page.days')} /> : null}
      {!data && !error ? <Skeleton height={160} /> : null}
      {data && data.length === 0 ? <p className={styles.muted}>{t('companies.page.noDays')}</p> : null}
      {data && data.length > 1 ? <Lines days={data} /> : null}
      {data && data.length > 0 ? (
        <div className={styles.days}>
          <table className={styles.numbers}>
            <thead>
              <tr>
                <th scope="col">{t('companies.page.day')}</th>
                <th scope="col">{t('resources.devices.title')}</th>
                <th scope="col">{t('values.device.status.1')}</th>
                <th scope="col">{t('resources.users.title')}</th>
              </tr>
            </thead>
            <tbody>
              {data.toReversed().map((row) => (
                <tr key={row.day}>
                  <th scope="row">{row.day}</th>
                  <td>{formatNumber(row.devices)}</td>
                  <td>{formatNumber(row.online)}</td>
                  <td>{formatNumber(row.users)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </Card>
  );
}

/** Decoration over the table: all devices as a grey line, those online as a green one. */
function Lines({ days }: { days: readonly Day[] }) {
  const highest = Math.max(1, ...days.map((row) => row.devices));
  const pointsOf = (key: 'devices' | 'online') =>
    days.map((row, index) => `${(100 * index) / (days.length - 1)},${38 - (36 * row[key]) / highest}`).join(' ');
  return (
    <svg className={styles.lines} viewBox="0 0 100 40" preserveAspectRatio="none" aria-hidden="true">
      <polyline className={styles.line} points={pointsOf('devices')} />
      <polyline className={styles.lineOnline} points={pointsOf('online')} />
    </svg>
  );
}
