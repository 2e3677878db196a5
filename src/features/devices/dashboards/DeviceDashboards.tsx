import { useList } from '@refinedev/core';
import { useId } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { Dashboard } from '../../../../schemas/_generated/contract.ts';
import type { ApiError } from '../../../kernel/http/index.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import { Button, EmptyState, ErrorState, Select, Skeleton } from '../../../ui/index.ts';
import { Board } from './Board.tsx';
import { readVariables } from './variables.ts';
import styles from './dashboards.module.css';

/** The dashboards of devices, one of them open: the asked one, or the company's default. `addressOf`: where another one is. */
export function DeviceDashboards({
  deviceId,
  asked,
  addressOf,
}: {
  deviceId: number;
  asked: number | undefined;
  addressOf(id: number): string;
}) {
  const t = useT();
  const id = useId();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const { isEmbedded } = readVariables(search);
  const { query } = useList<Dashboard, ApiError>({
    resource: 'dashboards',
    filters: [{ field: 'kind', operator: 'eq', value: 'device' }],
    pagination: { pageSize: 100 },
    errorNotification: false,
  });
  const list = query.data?.data;
  // A reading that fails later must not take an edit away.
  if (query.error && !list) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!list) return <Skeleton height={320} />;
  const shown = list.find((one) => one.id === asked) ?? list.find((one) => one.is_company_default) ?? list[0];
  if (!shown)
    return (
      <EmptyState
        icon="layout-dashboard"
        title={t('dashboards.none')}
        text={t('dashboards.none.text')}
        actions={<Button to="/management/dashboards">{t('resources.dashboards.title')}</Button>}
      />
    );
  return (
    <div className={styles.page}>
      {isEmbedded ? null : (
        <>
          <label htmlFor={id} className="visually-hidden">
            {t('entities.dashboard')}
          </label>
          <Select
            id={id}
            value={shown.id}
            choices={list.map((one) => ({ value: one.id, label: one.name }))}
            onChange={(chosen) => void navigate(addressOf(chosen))}
          />
        </>
      )}
      <Board
        key={shown.id}
        dashboard={shown}
        deviceId={deviceId}
        onReload={async () => (await query.refetch()).data?.data.find(({ id }) => id === shown.id)}
      />
    </div>
  );
}

const idOf = (text: string | undefined): number | undefined => (/^[1-9]\d{0,9}$/.test(text ?? '') ? Number(text) : undefined);

/** The dashboards of a device at an address of their own, over the whole window: for phones and walls. */
export default function StandaloneDashboard() {
  const { id, dashboard_id: asked } = useParams();
  const deviceId = idOf(id);
  if (deviceId === undefined) return null;
  return (
    <div className={styles.wall}>
      <DeviceDashboards deviceId={deviceId} asked={idOf(asked)} addressOf={(chosen) => `/device/${deviceId}/dashboard/${chosen}`} />
    </div>
  );
}
