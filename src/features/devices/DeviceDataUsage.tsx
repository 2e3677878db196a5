import { useCustom } from '@refinedev/core';
import { useMemo, useState } from 'react';
import { forecastOfMonth } from '../../../schemas/kit/devices/usage-forecast.ts';
import type { Device } from '../../../schemas/_generated/contract.ts';
import { UsageForecast } from '../../engine/readings/UsageForecast.tsx';
import { formatBytes } from '../../engine/table/format.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Card, ErrorState, Skeleton, SmallTable, StackedChart } from '../../ui/index.ts';
import type { UsageDay } from './mobile-usage.ts';
import { wayLayers, wayName } from './sim-layers.ts';
import styles from './devices.module.css';

interface Row {
  date: string;
  modem: string;
  sim: number;
  sent: number;
  received: number;
}

const sumOf = (rows: readonly Row[]): number => rows.reduce((sum, { sent, received }) => sum + sent + received, 0);

/** Bytes of a device over the last 30 days, by day and by the SIM that they went over. */
export function DeviceDataUsage({ device }: { device: Device }) {
  const t = useT();
  const { query } = useCustom<UsageDay[], ApiError>({ url: `/devices/${device.id}/data-usage`, method: 'get', errorNotification: false });
  const { error, refetch } = query;
  const data = query.data?.data;
  const rows = useMemo(
    () =>
      (data ?? []).flatMap(({ date, modems }) =>
        modems.flatMap(({ modem_id: modem, sims }) =>
          sims.map(({ sim_id: sim, data: { tx, rx } }): Row => ({ date, modem, sim, sent: tx, received: rx })),
        ),
      ),
    [data],
  );
  const columns = useMemo(() => (data ?? []).map(({ date }) => date.slice(5)), [data]);
  const layers = useMemo(() => wayLayers(data ?? [], t), [data, t]);
  const [openedAt] = useState(() => Date.now());
  const forecast = useMemo(
    () =>
      forecastOfMonth(
        rows.map(({ date, sent, received }) => ({ date, bytes: sent + received })),
        openedAt,
      ),
    [rows, openedAt],
  );
  if (error)
    return <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('devices.tabs.data_usage')} />;
  if (!data) return <Skeleton height={260} />;
  if (rows.length === 0)
    return (
      <Card title={t('devices.usage.title')}>
        <p className={styles.muted}>{t('devices.usage.none')}</p>
      </Card>
    );
  const month = (rows.at(-1)?.date ?? '').slice(0, 7);
  return (
    <Card
      title={t('devices.usage.title')}
      extra={
        <span className={styles.muted}>
          {t('devices.usage.month', { bytes: formatBytes(sumOf(rows.filter(({ date }) => date.startsWith(month)))) })}
          {' · '}
          <UsageForecast bytes={forecast} />
        </span>
      }
    >
      <StackedChart
        label={t('devices.usage.title')}
        fileName={`data-${device.serial}`}
        columns={columns}
        layers={layers}
        format={formatBytes}
        hasTableBeside
      />
      <SmallTable
        className={styles.numbers}
        hasRowNames
        columns={[
          { key: 'date', title: t('devices.usage.day'), render: (row: Row) => row.date },
          { key: 'sim', title: t('devices.usage.way'), render: ({ modem, sim }: Row) => wayName({ modem, slot: sim }, t) },
          { key: 'sent', title: t('fields.sent'), render: (row: Row) => formatBytes(row.sent) },
          { key: 'received', title: t('fields.received'), render: (row: Row) => formatBytes(row.received) },
        ]}
        rows={rows.toReversed()}
        keyOf={(row) => `${row.date} ${row.modem} ${row.sim}`}
      />
    </Card>
  );
}
