import { useList } from '@refinedev/core';
import { keepPreviousData } from '@tanstack/react-query';
import type { VpnClient } from '../../../../schemas/_generated/contract.ts';
import type { ApiError } from '../../../kernel/http/index.ts';
import { formatNumber, useT } from '../../../kernel/i18n/index.ts';
import { useCan } from '../../../kernel/session/index.ts';
import { SmallTable, StatusMark } from '../../../ui/index.ts';
import { useWidgetData, type WidgetProps } from './dashboard-data.ts';
import { Big, FEW_ROWS, Loaded, Nothing } from './widget-parts.tsx';
import styles from './dashboards.module.css';

export const isVpn = (source: string | undefined): boolean => source?.startsWith('vpn_') ?? false;

const companyOf = ({ filters }: WidgetProps['around']): Record<string, string> =>
  filters['company_id'] === undefined ? {} : { company_id: filters['company_id'] };

/** How many hubs or clients there are; nothing for those who may not see them. */
export function VpnValue(props: WidgetProps) {
  return useCan()('view_vpn_hubs') ? <Count {...props} /> : <Nothing />;
}

function Count({ widget: { source }, around }: WidgetProps) {
  const { query } = useList<VpnClient, ApiError>({
    resource: source === 'vpn_hubs' ? 'vpn/hubs' : 'vpn/hubs/users',
    pagination: { pageSize: 1 },
    meta: { query: { ...companyOf(around), ...(source === 'vpn_connected' ? { connected: '1' } : {}) } },
    queryOptions: { refetchInterval: around.refreshMs, placeholderData: keepPreviousData },
    errorNotification: false,
  });
  return <Loaded query={query}>{() => <Big>{formatNumber(query.data?.total ?? 0)}</Big>}</Loaded>;
}

/** Clients of VPN hubs, and whether they are connected. */
export function VpnTable(props: WidgetProps) {
  return useCan()('view_vpn_hubs') ? <Clients {...props} /> : <Nothing />;
}

function Clients({ widget: { count = FEW_ROWS }, around }: WidgetProps) {
  const t = useT();
  const query = useWidgetData<VpnClient[]>('/vpn/hubs/users', { ...companyOf(around), limit: String(count), sort: 'name' }, around);
  return (
    <Loaded query={query}>
      {(rows) =>
        rows.length === 0 ? (
          <Nothing />
        ) : (
          <SmallTable
            className={styles.table}
            hasRowNames
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { key: 'name', title: t('fields.name'), render: ({ name }) => name },
              { key: 'hub', title: t('fields.vpn_hub_name'), render: (client) => client.vpn_hub_name },
              {
                key: 'state',
                title: t('fields.status'),
                render: ({ connected }) => (
                  <StatusMark kind={connected ? 'good' : 'idle'}>{t(`dashboards.vpn.${connected ? 'connected' : 'away'}`)}</StatusMark>
                ),
              },
            ]}
          />
        )
      }
    </Loaded>
  );
}
