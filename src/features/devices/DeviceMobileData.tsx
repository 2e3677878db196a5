import { useCustom } from '@refinedev/core';
import { useMemo, useState } from 'react';
import type { Device } from '../../../schemas/_generated/contract.ts';
import { openForm } from '../../engine/form/index.ts';
import { UsageForecast } from '../../engine/readings/UsageForecast.tsx';
import { formatBytes } from '../../engine/table/format.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { DAY, formatUtc, parseWire } from '../../kernel/time/index.ts';
import { Button, Card, ErrorState, Skeleton, StackedChart, TimeChart, type TimeSeries } from '../../ui/index.ts';
import type { DetailsPartProps } from './DetailsParts.tsx';
import { Facts, roamingWords } from './DeviceFacts.tsx';
import { monthToDate, simsOf, type UsageDay } from './mobile-usage.ts';
import { simLayers } from './sim-layers.ts';
import styles from './details.module.css';

export interface DataLimit {
  limit_bytes: number | null;
  starts_on: number;
  since: string;
  used_bytes: number;
  /** null: too little data. */
  forecast_bytes: number | null;
  reached_on: string | null;
}

const dayOf = (at: number): string => formatUtc(at, 'MM-DD');

/** How much data a device may use, and how much it has used this month. */
export function useDataLimit(device: Pick<Device, 'id' | 'last_update_at'>) {
  return useCustom<DataLimit, ApiError>({ url: `/devices/${device.id}/data-limit`, method: 'get', errorNotification: false }).query;
}

/** The month so far, as a line that grows towards the limit. */
function Month({ device, days, limit, onChanged }: { device: Device; days: readonly UsageDay[]; limit: DataLimit; onChanged(): void }) {
  const t = useT();
  const can = useCan();
  const since = parseWire(limit.since) ?? 0;
  const { times, total } = useMemo(() => monthToDate(days, since), [days, since]);
  const series = useMemo(
    (): TimeSeries[] => [
      { label: t('devices.mobile.total'), values: total, color: 'accent', kind: 'line' },
      ...(limit.limit_bytes === null
        ? []
        : [{ label: t('devices.mobile.limit'), values: times.map(() => limit.limit_bytes), color: 'bad' as const, kind: 'line' as const }]),
    ],
    [t, total, times, limit.limit_bytes],
  );
  const words = { used: formatBytes(limit.used_bytes), date: formatUtc(since, 'YYYY-MM-DD') };
  const isOver = limit.limit_bytes !== null && limit.used_bytes > limit.limit_bytes;
  async function change(): Promise<void> {
    if (await openForm('devices/data-limit', { record: { ...device }, window: { subtitle: device.name } })) onChanged();
  }
  return (
    <Card
      title={t('devices.mobile.title')}
      extra={
        can('update_devices') ? (
          <Button size="small" icon="pencil" onClick={() => void change()}>
            {t('devices.mobile.set')}
          </Button>
        ) : null
      }
    >
      <p className={isOver ? styles.over : undefined}>
        {limit.limit_bytes === null
          ? t('devices.mobile.used', words)
          : t('devices.mobile.of', { ...words, limit: formatBytes(limit.limit_bytes) })}
        {isOver ? ` · ${t('devices.mobile.over')}` : ''}
      </p>
      <p className={styles.muted}>
        {t('fields.forecast_bytes')}: <UsageForecast bytes={limit.forecast_bytes} reachedOn={limit.reached_on} isOver={isOver} />
      </p>
      {times.length > 1 ? (
        <TimeChart
          label={t('devices.mobile.title')}
          fileName={`month-${device.serial}`}
          times={times}
          series={series}
          format={formatBytes}
          formatTime={dayOf}
          height={180}
        />
      ) : null}
    </Card>
  );
}

function Days({ device, days }: { device: Device; days: readonly UsageDay[] }) {
  const t = useT();
  const columns = useMemo(() => days.map(({ date }) => date.slice(5)), [days]);
  const layers = useMemo(() => simLayers(days, t), [days, t]);
  return (
    <Card title={t('devices.mobile.days')}>
      <StackedChart
        label={t('devices.mobile.days')}
        fileName={`mobile-${device.serial}`}
        columns={columns}
        layers={layers}
        format={formatBytes}
      />
    </Card>
  );
}

/** Each modem as the device describes it. */
function Modems({ details }: Pick<DetailsPartProps, 'details'>) {
  const t = useT();
  const dbm = (value: number | null) => (value === null ? undefined : t('devices.dbm', { value }));
  return (details.modems ?? []).map((modem) => (
    <Card key={modem.name} title={t('devices.mobile.modem', { name: modem.name })}>
      <Facts
        facts={(
          [
            [t('devices.mobile.manufacturer'), modem.manufacturer],
            [t('fields.model'), modem.model],
            [t('fields.firmware'), modem.firmware],
            [t('fields.imei'), modem.imei],
            [t('fields.iccid'), modem.iccid],
            [t('fields.operator'), modem.operator],
            [t('fields.connection_type'), modem.connection_type],
            [t('fields.network_state'), roamingWords(t, modem.network_state)],
            [t('fields.sim_slot'), modem.sim_slot],
            [t('fields.signal'), dbm(modem.signal)],
            [t('fields.rsrp'), dbm(modem.rsrp)],
            [t('fields.operator_number'), modem.operator_number],
            [t('fields.cell_id'), modem.cell_id],
            [t('fields.lac'), modem.lac],
            [t('fields.connection_state'), modem.connection_state],
            [t('fields.sim_state'), modem.sim_state],
            [t('fields.pin_state'), modem.pin_state],
            [
              t('fields.temperature'),
              modem.temperature === null ? null : t('devices.celsius', { value: formatNumber(modem.temperature / 10) }),
            ],
          ] as const
        ).map(([label, value]) => (value === null || value === undefined ? undefined : [label, value]))}
      />
    </Card>
  ));
}

/** The mobile data of a device: this month against its limit, each day by SIM, and its modems. */
export function DeviceMobileData({ device, details }: DetailsPartProps) {
  const t = useT();
  const [openedAt] = useState(() => Date.now());
  const { query } = useCustom<UsageDay[], ApiError>({
    url: `/devices/${device.id}/data-usage`,
    method: 'get',
    config: { query: { start_date: formatUtc(openedAt - 31 * DAY, 'YYYY-MM-DD') } },
    errorNotification: false,
  });
  const limit = useDataLimit(device);
  const error = query.error ?? limit.error;
  const days = query.data?.data;
  if (error) return <ErrorState error={error} onRetry={() => void (query.error ? query : limit).refetch()} />;
  if (!days || !limit.data) return <Skeleton height={260} />;
  return (
    <div className={styles.column}>
      <Month device={device} days={days} limit={limit.data.data} onChanged={() => void limit.refetch()} />
      {simsOf(days).length === 0 ? (
        <Card title={t('devices.mobile.days')}>
          <p className={styles.muted}>{t('devices.mobile.none')}</p>
        </Card>
      ) : (
        <Days device={device} days={days} />
      )}
      <Modems details={details} />
    </div>
  );
}
