import { useOne } from '@refinedev/core';
import { Link } from 'react-router';
import type { Dashboard } from '../../../../schemas/_generated/contract.ts';
import { PageActions } from '../../../engine/actions/PageActions.tsx';
import type { ApiError } from '../../../kernel/http/index.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import { EmptyState, PageError, PageHeader, Skeleton } from '../../../ui/index.ts';
import { Board } from './Board.tsx';
import styles from './dashboards.module.css';

/** A dashboard of the fleet; one of a device says where to open it. */
export default function DashboardPage({ id }: { id: number }) {
  const t = useT();
  const { query } = useOne<Dashboard, ApiError>({ resource: 'dashboards', id, errorNotification: false });
  const { error, refetch } = query;
  const dashboard = query.data?.data;
  // A reading that fails later must not take an edit away.
  if (error && !dashboard)
    return <PageError error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('entities.dashboard')} />;
  if (!dashboard) return <Skeleton height={320} />;
  return (
    <div className={styles.page}>
      <PageHeader
        title={dashboard.name}
        breadcrumb={[
          <Link key="above" to="/management/dashboards">
            {t('resources.dashboards.title')}
          </Link>,
        ]}
        actions={<PageActions resource="dashboards" row={{ ...dashboard }} onDone={() => void refetch()} />}
      />
      {dashboard.kind === 'fleet' ? (
        <Board key={dashboard.id} dashboard={dashboard} onReload={async () => (await refetch()).data?.data} />
      ) : (
        <EmptyState icon="layout-dashboard" title={t('dashboards.of_device')} text={t('dashboards.of_device.text')} />
      )}
    </div>
  );
}
