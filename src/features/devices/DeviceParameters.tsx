import { useCustom } from '@refinedev/core';
import { useId, useState } from 'react';
import type { Device } from '../../../schemas/_generated/contract.ts';
import { openDialog } from '../../engine/dialogs/index.ts';
import { openForm } from '../../engine/form/index.ts';
import { formatBytes } from '../../engine/table/format.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, hasText, useT, type Translate } from '../../kernel/i18n/index.ts';
import { formatTime, formatUtc, parseWire, SECOND } from '../../kernel/time/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { Button, Card, ErrorState, Select, Skeleton, SmallTable, StatusMark, Switch } from '../../ui/index.ts';
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

/** Texts, whose every change is kept. */
const TEXTS: ReadonlySet<string> = new Set([
  ...['firmware', 'sim_slot', 'network_state', 'mobile_ip', 'operator', 'connection_type', 'wan_state', 'wan_ip', 'iccid'],
  ...['operator_number', 'cell_id', 'lac'],
]);
/** The newest moment of the choice: not one of the past. */
const NOW = 'now';

function nameOf(t: Translate, name: string): string {
  const key = [`devices.metric.${name}`, `fields.${name}`, `devices.parameter.${name}`].find(hasText);
  return key === undefined ? name : t(key);
}

/** What the device had reported by a moment; `now` for what is known by now. */
function useMoment(path: string, moment: string | undefined) {
  return useCustom<Moment[], ApiError>({
    url: path,
    method: 'get',
    ...(moment === undefined || moment === NOW ? {} : { config: { query: { datetime: moment } } }),
    queryOptions: { enabled: moment !== undefined },
    errorNotification: false,
  }).query;
}

/**
 * What the device had reported at two moments, side by side: a past one and now, or two past ones. The moments are those at which something changed, of the last
 * 30 days. A text opens the list of its changes; all of it is exported over a period.
 */
export function DeviceParameters({ device }: { device: Device }) {
  const t = useT();
  const [first, setFirst] = useState<string>();
  const [second, setSecond] = useState<string>(NOW);
  const [today] = useState(() => formatUtc(Date.now(), 'YYYY-MM-DD'));
  const [hasDifferencesOnly, setDifferencesOnly] = useState(false);
  const path = `/devices/${device.id}/information-history`;
  const moments = useCustom<{ created_at: string }[], ApiError>({
    url: `${path}/parameter`,
    method: 'get',
    errorNotification: false,
  }).query;
  const times = [...new Set((moments.data?.data ?? []).map(({ created_at: at }) => at))].slice(0, MOST_MOMENTS);
  const moment = first ?? times[1] ?? times[0];
  const later = useMoment(path, second);
  const earlier = useMoment(path, moment);
  const error = moments.error ?? later.error ?? earlier.error;
  if (error) return <ErrorState error={error} onRetry={() => void (moments.error ? moments : earlier.error ? earlier : later).refetch()} />;
  const [now] = later.data?.data ?? [];
  if (!now || !moments.data) return <Skeleton height={260} />;
  const [then] = earlier.data?.data ?? [];
  const all = Object.keys(now).flatMap((name): Row[] =>
    HIDDEN.has(name) ? [] : [{ name, then: wordOf(t, name, (then ?? now)[name]), now: wordOf(t, name, now[name]) }],
  );
  const rows = hasDifferencesOnly ? all.filter((row) => row.now !== row.then) : all;
  const choices = times.map((time) => ({ value: time, label: timeText(time) }));
  return (
    <Card
      title={t('devices.tabs.parameters')}
      extra={
        <Button
          size="small"
          icon="download"
          onClick={() =>
            void openForm('devices/export-history', { record: { id: device.id }, initial: { start_date: today, end_date: today } })
          }
        >
          {t('devices.parameters.export')}
        </Button>
      }
    >
      {times.length === 0 ? (
        <p className={styles.muted}>{t('devices.parameters.none')}</p>
      ) : (
        <div className={details.line}>
          <div className={details.moments}>
            <MomentSelect label={t('devices.parameters.moment')} value={moment} choices={choices} onChange={setFirst} />
            <MomentSelect
              label={t('devices.parameters.compared')}
              value={second}
              choices={[{ value: NOW, label: t('devices.parameters.now') }, ...choices]}
              onChange={setSecond}
            />
          </div>
          <Switch isOn={hasDifferencesOnly} label={t('devices.parameters.differences')} onChange={setDifferencesOnly} />
        </div>
      )}
      {rows.length === 0 ? (
        <p className={styles.muted}>{t('devices.parameters.equal')}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls must be reachable without a mouse.
        <div className={details.scroll} role="region" aria-label={t('devices.tabs.parameters')} tabIndex={0}>
          <SmallTable
            className={details.table}
            hasRowNames
            label={t('devices.tabs.parameters')}
            rows={rows}
            keyOf={({ name }) => name}
            columns={[
              { key: 'name', title: t('fields.parameter'), render: ({ name }: Row) => <ParameterName device={device} name={name} /> },
              ...(times.length === 0
                ? []
                : [{ key: 'then', title: moment === undefined ? '' : timeText(moment), render: (row: Row) => row.then }]),
              {
                key: 'now',
                title: second === NOW ? t('devices.parameters.now') : timeText(second),
                render: (row: Row) => (row.now === row.then ? row.now : <StatusMark kind="warn">{row.now}</StatusMark>),
              },
            ]}
          />
        </div>
      )}
    </Card>
  );
}

interface MomentSelectProps {
  label: string;
  value: string | undefined;
  choices: { value: string; label: string }[];
  onChange(moment: string): void;
}

function MomentSelect({ label, value, choices, onChange }: MomentSelectProps) {
  const id = useId();
  return (
    <span className={details.moment}>
      <label htmlFor={id}>{label}</label>
      <Select id={id} value={value} choices={choices} onChange={onChange} />
    </span>
  );
}

/** The name of a parameter; of a text it opens when that changed. */
function ParameterName({ device, name }: { device: Device; name: string }) {
  const t = useT();
  const words = nameOf(t, name);
  if (!TEXTS.has(name)) return words;
  const open = () => void openDialog('devices.parameter', { deviceId: device.id, parameter: name, name: words });
  return (
    <Button variant="link" size="small" onClick={open} title={t('devices.parameters.changes', { name: words })}>
      {words}
    </Button>
  );
}
