import { useCustom } from '@refinedev/core';
import { useState } from 'react';
import { formatBytes } from '../../engine/table/format.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { DAY } from '../../kernel/time/index.ts';
import { BarChart, Card, ErrorState, Segmented, Select, Skeleton, SmallTable, type Bar } from '../../ui/index.ts';
import { useClients } from './HubParts.tsx';
import styles from './vpn.module.css';

interface Entry {
  session_bytes_send: number;
  session_bytes_received: number;
  created_at: string;
}

const PERIODS = { day: 1, week: 7, month: 30 } as const;
type Period = keyof typeof PERIODS;
const ALL = 'all';

/** Bytes of a hub, or of one of its clients, over time. */
export function DataUsageTab({ hubId }: { hubId: number }) {
  const t = useT();
  const clients = useClients(hubId);
  const [period, setPeriod] = useState<Period>('month');
  const [client, setClient] = useState(ALL);
  const [openedAt] = useState(() => Date.now());
  const start = new Date(openedAt - PERIODS[period] * DAY).toISOString().slice(0, 10);
  const { query } = useCustom<Entry[], ApiError>({
    url: client === ALL ? `/vpn/hubs/${hubId}/logs` : `/vpn/hubs/${hubId}/users/${client}/logs`,
    method: 'get',
    config: { query: { start_date: start } },
    errorNotification: false,
  });
  const rows = query.data?.data;
  const bars = (rows ?? []).map((row): Bar => ({
    label: row.created_at.slice(period === 'month' || period === 'week' ? 0 : 11, period === 'day' ? 16 : 10),
    value: row.session_bytes_send + row.session_bytes_received,
    color: 'accent',
  }));
  return (
    <div className={styles.page}>
      <div className={styles.question}>
        <Segmented<Period>
          label={t('vpn.period')}
          value={period}
          options={(['day', 'week', 'month'] as const).map((value) => ({ value, label: t(`vpn.${value}`) }))}
          onChange={setPeriod}
        />
        <Select
          aria-label={t('entities.vpn_client')}
          value={client}
          choices={[{ value: ALL, label: t('vpn.all_clients') }, ...clients.map(({ id, name }) => ({ value: String(id), label: name }))]}
          onChange={setClient}
        />
      </div>
      <Card title={t('vpn.data_usage')}>
        {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
        {rows === undefined && !query.error ? <Skeleton height={200} /> : null}
        {rows?.length === 0 ? <p className={styles.muted}>{t('vpn.no_traffic')}</p> : null}
        {rows && rows.length > 0 ? (
          <>
            <BarChart label={t('vpn.data_usage')} fileName={`vpn-${hubId}`} bars={bars} format={formatBytes} hasTableBeside />
            <SmallTable
              hasRowNames
              columns={[
                { key: 'time', title: t('vpn.period'), render: (row: Entry) => row.created_at.slice(0, period === 'day' ? 16 : 10) },
                { key: 'sent', title: t('vpn.sent'), render: (row: Entry) => formatBytes(row.session_bytes_send) },
                { key: 'received', title: t('vpn.received'), render: (row: Entry) => formatBytes(row.session_bytes_received) },
              ]}
              rows={rows.toReversed()}
              keyOf={(row) => row.created_at}
            />
          </>
        ) : null}
      </Card>
    </div>
  );
}
