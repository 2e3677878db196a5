import { useCustom } from '@refinedev/core';
import type { CompanyNode } from '../../../schemas/_generated/contract.ts';
import { ReadingsChart } from '../../engine/readings/ReadingsChart.tsx';
import { isCancelled, type ApiError } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Card, ErrorState, Skeleton, SmallTable } from '../../ui/index.ts';
import { CompanyHealth } from './CompanyHealth.tsx';
import { CompanyTraffic } from './CompanyTraffic.tsx';
import styles from './companies.module.css';
import { DaysCard } from './DaysCard.tsx';

/** How much belongs to a company itself, and to it and all below it. */
export function CompanyMetrics({ id }: { id: number }) {
  const t = useT();
  const can = useCan();
  const { query } = useCustom<CompanyNode[], ApiError>({
    url: '/companies/tree',
    method: 'get',
    config: { query: { id } },
    errorNotification: false,
  });
  const { error, refetch } = query;
  const data = query.data?.data[0];
  const { query: statistics } = useCustom<Record<string, Record<string, number>>, ApiError>({
    url: '/devices/statistics',
    method: 'get',
    config: { query: { company_id: id } },
    queryOptions: { enabled: can('view_devices') },
    errorNotification: false,
  });
  if (error && !isCancelled(error))
    return <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('companies.tabs.metrics')} />;
  if (!data) return <Skeleton height={160} />;
  const rows = [
    { label: t('resources.devices.title'), own: formatNumber(data.devices_count), all: formatNumber(data.devices_below) },
    { label: t('resources.users.title'), own: formatNumber(data.users_count), all: formatNumber(data.users_below) },
    { label: t('companies.tabs.subsidiaries'), own: '', all: formatNumber(data.children_count) },
  ];
  const status = statistics.data?.data['status'] ?? {};
  const states = [
    { label: t('values.device.status.1'), count: status['1'] ?? 0 },
    { label: t('values.device.status.0'), count: status['0'] ?? 0 },
    { label: t('values.device.status.2'), count: status['2'] ?? 0 },
    { label: t('values.device.status.none'), count: status['null'] ?? 0 },
  ];
  return (
    <div className={styles.grid}>
      <CompanyDays id={id} />
      {can('view_devices') ? <CompanyTraffic id={id} /> : null}
      {can('view_devices') ? (
        <div className={styles.wide}>
          <ReadingsChart path={`/companies/${id}/series`} />
        </div>
      ) : null}
      <Card title={t('companies.page.contents')}>
        <SmallTable
          className={styles.numbers}
          hasRowNames
          columns={[
            { key: 'what', title: t('companies.page.what'), render: ({ label }) => label },
            { key: 'own', title: t('companies.page.own'), render: ({ own }) => own },
            { key: 'all', title: t('companies.page.all'), render: ({ all }) => all },
          ]}
          rows={rows}
          keyOf={({ label }) => label}
        />
      </Card>
      {statistics.data ? (
        <Card title={t('companies.page.states')}>
          <SmallTable
            className={styles.numbers}
            hasRowNames
            hidesHead
            columns={[
              { key: 'state', title: '', render: ({ label }) => label },
              { key: 'count', title: '', render: ({ count }) => formatNumber(count) },
            ]}
            rows={states}
            keyOf={({ label }) => label}
          />
        </Card>
      ) : null}
      {can('view_devices') ? <CompanyHealth id={id} /> : null}
    </div>
  );
}

interface Day {
  day: string;
  devices: number;
  online: number;
  users: number;
}

/** Devices, devices online and users of a company and all below it, day by day. */
export function CompanyDays({ id }: { id: number }) {
  const t = useT();
  return (
    <DaysCard<Day>
      title={t('companies.page.days')}
      path={`/companies/${id}/days`}
      none={t('companies.page.noDays')}
      columns={[
        { title: t('resources.devices.title'), value: (row) => row.devices, format: formatNumber },
        { title: t('values.device.status.1'), value: (row) => row.online, format: formatNumber },
        { title: t('resources.users.title'), value: (row) => row.users, format: formatNumber },
      ]}
    />
  );
}
