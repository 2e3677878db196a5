import { useCustom } from '@refinedev/core';
import { useId, useState } from 'react';
import type { Device } from '../../../schemas/_generated/contract.ts';
import { formatBytes } from '../../engine/table/format.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, hasText, useT, type Translate } from '../../kernel/i18n/index.ts';
import { formatTime, parseWire, SECOND } from '../../kernel/time/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { Card, ErrorState, Select, Skeleton, SmallTable, StatusMark } from '../../ui/index.ts';
import details from './details.module.css';
import styles from './devices.module.css';

type Moment = Record<string, string | number | null>;
interface Row {
  name: string;
  then: string;
  now: string;
}

/** Not parameters, and those that no device reports. */
const HIDDEN: ReadonlySet<string> = new Set(['device_id', 'created_at', 'sim_state', 'pin_state', 'connection_state', 'connection_uptime']);
const MOST_MOMENTS = 500;
// `rx_day`, `tx_month`, `sent`
const BYTES = /^(?:[rt]x_(?:day|week|month)|sent|received)$/;

function wordOf(t: Translate, name: string, value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === '') return '—';
  const number = Number(value);
  if (BYTES.test(name)) return formatBytes(number);
  if (name === 'temperature') return t('devices.celsius', { value: formatNumber(number / 10) });
  if (name === 'signal') return t('devices.dbm', { value: formatNumber(number) });
  if (name === 'router_uptime') return formatDuration(number * SECOND);
  return String(value);
}

const timeText = (time: string): string => formatTime(parseWire(time) ?? 0, 'YYYY-MM-DD HH:mm:ss');

/** What the device had reported at a past moment, beside what it is now. The moments are those at which something changed, of the last 30 days. */
export function DeviceParameters({ device }: { device: Device }) {
  const t = useT();
  const id = useId();
  const [chosen, setChosen] = useState<string>();
  const path = `/devices/${device.id}/information-history` as const;
  const moments = useCustom<{ created_at: string }[], ApiError>({
    url: `${path}/parameter`,
    method: 'get',
    errorNotification: false,
  }).query;
  const times = [...new Set((moments.data?.data ?? []).map(({ created_at: at }) => at))].slice(0, MOST_MOMENTS);
  const moment = chosen ?? times[1] ?? times[0];
  const present = useCustom<Moment[], ApiError>({ url: path, method: 'get', errorNotification: false }).query;
  const past = useCustom<Moment[], ApiError>({
    url: path,
    method: 'get',
    config: { query: { datetime: moment } },
    queryOptions: { enabled: moment !== undefined },
    errorNotification: false,
  }).query;
  const error = moments.error ?? present.error ?? past.error;
  if (error) return <ErrorState error={error} onRetry={() => void (moments.error ? moments : past.error ? past : present).refetch()} />;
  const [now] = present.data?.data ?? [];
  if (!now || !moments.data) return <Skeleton height={260} />;
  const [then] = past.data?.data ?? [];
  const rows = Object.keys(now).flatMap((name): Row[] =>
    HIDDEN.has(name) ? [] : [{ name, then: wordOf(t, name, (then ?? now)[name]), now: wordOf(t, name, now[name]) }],
  );
  const nameOf = (name: string): string => {
    const key = [`devices.metric.${name}`, `fields.${name}`, `devices.parameter.${name}`].find(hasText);
    return key === undefined ? name : t(key);
  };
  return (
    <Card
      title={t('devices.tabs.parameters')}
      extra={
        times.length === 0 ? null : (
          <>
            <label htmlFor={id} className="visually-hidden">
              {t('devices.parameters.moment')}
            </label>
            <Select id={id} value={moment} choices={times.map((time) => ({ value: time, label: timeText(time) }))} onChange={setChosen} />
          </>
        )
      }
    >
      {times.length === 0 ? <p className={styles.muted}>{t('devices.parameters.none')}</p> : null}
      <SmallTable
        className={details.table}
        hasRowNames
        label={t('devices.tabs.parameters')}
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          { key: 'name', title: t('fields.parameter'), render: ({ name }: Row) => nameOf(name) },
          ...(times.length === 0
            ? []
            : [{ key: 'then', title: moment === undefined ? '' : timeText(moment), render: (row: Row) => row.then }]),
          {
            key: 'now',
            title: t('devices.parameters.now'),
            render: (row: Row) => (row.now === row.then ? row.now : <StatusMark kind="warn">{row.now}</StatusMark>),
          },
        ]}
      />
    </Card>
  );
}
