import type { ReactNode } from 'react';
import { deviceCapabilities } from '../../../schemas/kit/devices/device-capabilities.ts';
import type { Device } from '../../../schemas/_generated/contract.ts';
import { formatBytes } from '../../engine/table/format.ts';
import { formatNumber, useT, type Translate } from '../../kernel/i18n/index.ts';
import { brandedModel, modelPicture } from '../../kernel/theme/index.ts';
import { SECOND } from '../../kernel/time/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { ExactTime, RelativeTime } from '../../ui/index.ts';
import { SignalBars } from './SignalBars.tsx';
import { shortFirmware } from './status.ts';
import styles from './devices.module.css';

export type Fact = [label: string, value: ReactNode];

/** Label and value pairs; those that the device does not report are left out. */
export function Facts({ facts }: { facts: readonly (Fact | undefined)[] }) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter((fact) => fact !== undefined)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

function memoryUsed(device: Device): number | undefined {
  const { mem_total_kb: total, mem_available_kb: available } = device;
  return total && available !== null ? Math.round((1 - available / total) * 100) : undefined;
}

const ROAMING = new Set(['home', 'roaming', 'unknown']);

/** Whether a modem is in its own network: a word of ours where the device says one that we know, its own otherwise. */
export function roamingWords(t: Translate, state: string | null): string | null {
  const known = state?.toLowerCase();
  return known !== undefined && ROAMING.has(known) ? t(`values.device.network_state.${known}`) : state;
}

/** What the device's last report says. */
export function LiveFacts({ device }: { device: Device }) {
  const t = useT();
  const unless = (value: number | string | null | undefined, label: string, show: ReactNode): Fact | undefined =>
    value === null || value === undefined || value === '' ? undefined : [t(`fields.${label}`), show];
  const memory = memoryUsed(device);
  const facts = [
    unless(
      device.connection_type,
      'connection_type',
      <span className={styles.network}>
        <SignalBars dbm={device.status === 1 ? device.signal : null} /> {device.connection_type}
      </span>,
    ),
    unless(device.signal, 'signal', t('devices.dbm', { value: device.signal })),
    unless(device.operator, 'operator', device.operator),
    unless(device.network_state, 'network_state', roamingWords(t, device.network_state)),
    unless(device.sim_slot, 'sim_slot', device.sim_slot),
    unless(device.rsrp, 'rsrp', t('devices.dbm', { value: device.rsrp ?? 0 })),
    unless(device.sinr, 'sinr', t('devices.db', { value: device.sinr ?? 0 })),
    unless(device.cell_id, 'cell_id', <code>{device.cell_id}</code>),
    unless(device.signal_2, 'signal_2', t('devices.dbm', { value: device.signal_2 ?? 0 })),
    unless(device.operator_2, 'operator_2', [device.operator_2, device.connection_type_2].filter(Boolean).join(' · ')),
    unless(device.wan_state, 'wan_state', t(`devices.wan.${device.wan_state?.toLowerCase() ?? 'unknown'}`)),
    unless(device.wan_ip, 'wan_ip', <code>{device.wan_ip}</code>),
    unless(device.mobile_ip, 'mobile_ip', <code>{device.mobile_ip}</code>),
    unless(device.lan_ip, 'lan_ip', <code>{device.lan_ip}</code>),
    unless(device.router_uptime, 'router_uptime', formatDuration((device.router_uptime ?? 0) * SECOND)),
    unless(device.load1, 'load1', formatNumber(device.load1 ?? 0)),
    unless(memory, 'memory', t('devices.memory', { percent: memory ?? 0, total: formatBytes((device.mem_total_kb ?? 0) * 1024) })),
    unless(device.temperature, 'temperature', t('devices.celsius', { value: formatNumber((device.temperature ?? 0) / 10) })),
    unless(device.sent, 'sent', formatBytes(device.sent ?? 0)),
    unless(device.received, 'received', formatBytes(device.received ?? 0)),
  ].filter((fact) => fact !== undefined);
  if (facts.length === 0) return <p className={styles.muted}>{t('devices.live.none')}</p>;
  return <Facts facts={facts} />;
}

/** What the device is. */
export function DeviceFacts({ device }: { device: Device }) {
  const t = useT();
  const capabilities = deviceCapabilities({ model: device.model ?? '', firmware: device.firmware ?? '' });
  const supported = (['has_mobile', 'has_wifi', 'has_gps', 'has_lan', 'has_hotspot', 'has_io', 'has_esim', 'has_vpn'] as const).filter(
    (name) => capabilities[name],
  );
  const facts: (Fact | undefined)[] = [
    [t('fields.company_name'), (device.company_path ?? [device.company_name]).join(' › ')],
    device.model ? [t('fields.model'), brandedModel(device.model)] : undefined,
    [t('fields.serial'), <code key="serial">{device.serial}</code>],
    [t('fields.mac'), <code key="mac">{device.mac}</code>],
    device.imei ? [t('fields.imei'), <code key="imei">{device.imei}</code>] : undefined,
    device.firmware
      ? [
          t('fields.firmware'),
          <span key="firmware" title={device.firmware}>
            {shortFirmware(device.firmware)}
          </span>,
        ]
      : undefined,
    device.os ? [t('fields.os'), device.os] : undefined,
    device.hostname ? [t('fields.hostname'), device.hostname] : undefined,
    device.agent ? [t('fields.agent'), device.agent] : undefined,
    device.description ? [t('fields.description'), device.description] : undefined,
    [t('fields.created_at'), <ExactTime key="created" time={device.created_at} />],
    [t('fields.last_connection_at'), <RelativeTime key="seen" time={device.last_connection_at} saysAgo />],
    supported.length > 0 ? [t('devices.capabilities'), supported.map((name) => t(`devices.capability.${name}`)).join(' · ')] : undefined,
  ];
  const picture = modelPicture(device.model ?? '');
  return (
    <>
      {picture ? <img className={styles.picture} src={picture} alt={brandedModel(device.model ?? '')} /> : null}
      <Facts facts={facts} />
    </>
  );
}
