import { useQuery } from '@tanstack/react-query';
import type { CompanyNode } from '../../../schemas/_generated/contract.ts';
import { ReadingsChart } from '../../engine/readings/ReadingsChart.tsx';
import { api, isCancelled } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Card } from '../../ui/Card.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { CompanyDays } from './CompanyDays.tsx';
import { CompanyTraffic } from './CompanyTraffic.tsx';
import styles from './companies.module.css';

/** How much belongs to a company itself, and to it and all below it. */
export function CompanyMetrics({ id }: { id: number }) {
  const t = useT();
  const can = useCan();
  const { data, error, refetch } = useQuery({
    queryKey: ['companies', 'tree', 'one', id],
    queryFn: async () => (await api.get<CompanyNode[]>('/companies/tree', { query: { id } })).data[0],
  });
  const statistics = useQuery({
    queryKey: ['companies', 'statistics', id],
    queryFn: async () => (await api.get<Record<string, Record<string, number>>>('/devices/statistics', { query: { company_id: id } })).data,
    enabled: can('view_devices'),
  });
  if (error && !isCancelled(error))
    return <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('companies.tabs.metrics')} />;
  if (!data) return <Skeleton height={160} />;
  const rows = [
    { label: t('resources.devices.title'), own: data.devices_count, all: data.devices_below },
    { label: t('resources.users.title'), own: data.users_count, all: data.users_below },
  ];
  const status = statistics.data?.['status'] ?? {};
  const states = [
    { label: t('values.device.status.1'), count: status['1'] ?? 0 },
    { label: t('values.device.status.0'), count: status['0'] ?? 0 },
    { label: t('values.device.status.2'), count: status['2'] ?? 0 },
    { label: t('values.device.status.none'), count: status['null'] ?? 0 },
  ];
  return (
    <div className={styles.grid}>
      <Card title={t('companies.page.contents')}>
        <table className={styles.numbers}>
          <thead>
            <tr>
              <th scope="col">{t('companies.page.what')}</th>
              <th scope="col">{t('companies.page.own')}</th>
              <th scope="col">{t('companies.page.all')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, own, all }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{formatNumber(own)}</td>
                <td>{formatNumber(all)}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">{t('companies.tabs.subsidiaries')}</th>
              <td colSpan={2}>{formatNumber(data.children_count)}</td>
            </tr>
          </tbody>
        </table>
      </Card>
      {statistics.data ? (
        <Card title={t('companies.page.states')}>
          <table className={styles.numbers}>
            <tbody>
              {states.map(({ label, count }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td>{formatNumber(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Card>
      ) : null}
      <CompanyDays id={id} />
      {can('view_devices') ? <CompanyTraffic id={id} /> : null}
      {can('view_devices') ? (
        <div className={styles.wide}>
          <ReadingsChart path={`/companies/${id}/series`} />
        </div>
      ) : null}
    </div>
  );
}
