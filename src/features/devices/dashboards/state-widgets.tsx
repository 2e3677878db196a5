import { Link } from 'react-router';
import type { Alert, Device, DeviceDetails } from '../../../../schemas/_generated/contract.ts';
import { formatNumber, useT } from '../../../kernel/i18n/index.ts';
import { useCan } from '../../../kernel/session/index.ts';
import { Button, FieldFrame, RelativeTime, Select, SmallTable, StatusMark } from '../../../ui/index.ts';
import { switchOutput } from '../use-details.ts';
import { useWidgetData, type DashboardContext, type WidgetProps, type WidgetSettingsProps } from './dashboard-data.ts';
import { Big, FEW_ROWS, Loaded, Nothing, percent, useDevice, usePresence } from './widget-parts.tsx';
import styles from './dashboards.module.css';

const SEVERITIES = { info: 'info', warning: 'warn', critical: 'bad' } as const;
const MINUTES_OF_HOUR = 60;
const SECONDS_OF_MINUTE = 60;
export const DEFAULT_TARGET = 99.5;

/** What is wrong now, the newest first; nothing for those who may not see alerts. */
export function Alerts(props: WidgetProps) {
  const can = useCan();
  return can('view_device_alerts') ? <OpenAlerts {...props} /> : <Nothing />;
}

function OpenAlerts({ widget: { count = FEW_ROWS }, around }: WidgetProps) {
  const t = useT();
  const whose = around.kind === 'device' ? { device_id: String(around.deviceId) } : { company_id: around.filters['company_id'] };
  const query = useWidgetData<Alert[]>('/alerts', { ...whose, state: 'open', sort: '-created_at', limit: String(count) }, around);
  return (
    <Loaded query={query}>
      {(rows) =>
        rows.length === 0 ? (
          <StatusMark kind="good">{t('dashboards.alerts.none')}</StatusMark>
        ) : (
          <SmallTable
            className={styles.table}
            hasRowNames
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                key: 'name',
                title: t('fields.name'),
                render: ({ severity, name }) => <StatusMark kind={SEVERITIES[severity]}>{name}</StatusMark>,
              },
              {
                key: 'device',
                title: t('fields.device_name'),
                render: ({ device_id: id, device_name: name }) => <Link to={`/devices/${id}/alerts`}>{name}</Link>,
              },
              { key: 'since', title: t('dashboards.alerts.since'), render: ({ created_at: time }) => <RelativeTime time={time} /> },
            ]}
          />
        )
      }
    </Loaded>
  );
}

/** How much of the period a device was online, against what was promised, and when it was not. */
export function Availability({ widget: { target = DEFAULT_TARGET }, around }: WidgetProps) {
  const t = useT();
  return (
    <Loaded query={usePresence(around)}>
      {({ spans, online_percent: value }) => {
        if (value === null) return <Nothing />;
        const outages = spans.filter((span) => !span.is_online);
        const minutes = Math.round(outages.reduce((total, { from, to }) => total + to - from, 0) / SECONDS_OF_MINUTE);
        const isMet = value >= target;
        return (
          <>
            <Big>{percent(t, value)}</Big>
            <StatusMark kind={isMet ? 'good' : 'bad'}>
              {t(isMet ? 'dashboards.availability.met' : 'dashboards.availability.missed', { target: formatNumber(target) })}
            </StatusMark>
            <p className={styles.muted}>
              {t('dashboards.availability.outages', {
                count: outages.length,
                hours: formatNumber(Math.floor(minutes / MINUTES_OF_HOUR)),
                minutes: formatNumber(minutes % MINUTES_OF_HOUR),
              })}
            </p>
          </>
        );
      }}
    </Loaded>
  );
}

function usePins(around: DashboardContext) {
  return useWidgetData<DeviceDetails>(`/devices/${around.deviceId}/details`, {}, around);
}

function Switch({ device, pin, isOn }: { device: Device; pin: string; isOn: boolean }) {
  const t = useT();
  const can = useCan();
  const next = isOn ? 'off' : 'on';
  return (
    <div className={styles.output}>
      <StatusMark kind={isOn ? 'good' : 'idle'}>{t(`devices.io.${isOn ? 'on' : 'off'}`)}</StatusMark>
      {can('execute_device_actions') && device.status === 1 ? (
        <Button icon="power" onClick={() => switchOutput(device, pin, next, `${pin}: ${t(`devices.io.${next}`)}`)}>
          {t(`devices.io.switch_${next}`)}
        </Button>
      ) : null}
    </div>
  );
}

/** An output of the device: how it is, and the job that switches it. */
export function Output({ widget: { pin: name = '' }, around }: WidgetProps) {
  const device = useDevice(around);
  return (
    <Loaded query={usePins(around)}>
      {({ pins }) => {
        const pin = pins?.find((one) => one.name === name && one.direction === 'out');
        if (!pin) return <Nothing />;
        return <Loaded query={device}>{(shown) => <Switch device={shown} pin={name} isOn={pin.state === 1} />}</Loaded>;
      }}
    </Loaded>
  );
}

/** Which output a widget shows. */
export function PinChoice({ widget, around, onChange }: WidgetSettingsProps) {
  const t = useT();
  const pins = usePins(around).data?.data.pins?.filter(({ direction }) => direction === 'out') ?? [];
  const known = widget.pin === undefined || pins.some(({ name }) => name === widget.pin) ? pins.map(({ name }) => name) : [widget.pin];
  return (
    <FieldFrame label={t('dashboards.widget.pin')}>
      {({ id }) => (
        <Select
          id={id}
          value={widget.pin ?? ''}
          choices={[{ value: '', label: '—' }, ...known.map((name) => ({ value: name, label: name }))]}
          onChange={(pin) => onChange({ ...widget, pin, title: widget.title || pin })}
        />
      )}
    </FieldFrame>
  );
}
