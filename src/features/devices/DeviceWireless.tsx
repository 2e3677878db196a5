import { useCustom, type BaseRecord } from '@refinedev/core';
import { useEffect, useState } from 'react';
import type { Device, DeviceHotspot, DeviceWireless as Network } from '../../../schemas/_generated/contract.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import { openJobOf } from '../../engine/form/after-submit.ts';
import { openForm } from '../../engine/form/index.ts';
import { formatBytes } from '../../engine/table/format.ts';
import { failureMessage, isCancelled, type ApiError } from '../../kernel/http/index.ts';
import { formatNumber, useT, type Translate } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { live } from '../../kernel/socket/index.ts';
import { formatTime, parseWire } from '../../kernel/time/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button, Card, ExactTime, PasswordField, QrCode, Skeleton, StatusMark, TimeChart, type TimeSeries } from '../../ui/index.ts';
import { ReportLine, TableCard, type DetailsPartProps } from './DetailsParts.tsx';
import { wifiText } from './wifi-text.ts';
import styles from './details.module.css';

interface Hour {
  clients_count: number;
  received: number;
  sent: number;
  created_at: string;
}

/** Read again whenever the device has reported. */
const useRead = <T extends BaseRecord>(url: string, receivedAt: string | null) =>
  useCustom<T, ApiError>({ url, method: 'get', errorNotification: false, queryOptions: { queryKey: [url, receivedAt] } }).query;

/** The Wi-Fi of a device: its networks with their clients and data, and its hotspots with accounts and who is signed in. */
export function DeviceWireless({ device, details }: DetailsPartProps) {
  const t = useT();
  const can = useCan();
  return (
    <div className={styles.column}>
      <ReportLine device={device} details={details} label={t('devices.details.refresh')} />
      {can('view_wireless_information') ? <Networks device={device} receivedAt={details.received_at} /> : null}
      {can('view_device_hotspots') ? <Hotspots device={device} receivedAt={details.received_at} /> : null}
    </div>
  );
}

function Networks({ device, receivedAt }: { device: Device; receivedAt: string | null }) {
  const t = useT();
  const { data } = useRead<Network[]>(`/devices/${device.id}/wireless`, receivedAt);
  const graph = useRead<Record<string, Hour[]>[]>(`/devices/${device.id}/wireless/graph`, receivedAt);
  const [shown, setShown] = useState<string>();
  if (!data) return <Skeleton height={180} />;
  const rows = data.data;
  return (
    <>
      <TableCard
        title={t('wireless.networks')}
        rows={rows}
        none={t('wireless.none')}
        keyOf={({ wlan_id }) => wlan_id}
        columns={[
          { key: 'ssid', title: t('fields.ssid'), render: ({ ssid, wlan_id }) => ssid || wlan_id },
          {
            key: 'state',
            title: t('devices.network.state'),
            render: ({ active }) => (
              <StatusMark kind={active === 1 ? 'good' : 'idle'}>{t(`devices.network.${active === 1 ? 'up' : 'down'}`)}</StatusMark>
            ),
          },
          {
            key: 'band',
            title: t('devices.network.band'),
            render: ({ band, channel }) => [band, channel].filter(Boolean).join(' · ') || '—',
          },
          { key: 'clients', title: t('devices.network.clients'), render: ({ clients_count }) => formatNumber(clients_count) },
          { key: 'received', title: t('fields.received'), render: ({ received }) => formatBytes(received) },
          { key: 'sent', title: t('fields.sent'), render: ({ sent }) => formatBytes(sent) },
          {
            key: 'actions',
            title: t('wireless.actions'),
            hidesTitle: true,
            render: ({ ssid, wlan_id }) =>
              ssid === '' ? null : (
                <Button size="small" variant="ghost" onClick={() => setShown(shown === wlan_id ? undefined : wlan_id)}>
                  {t('wireless.qr')}
                </Button>
              ),
          },
        ]}
      />
      {rows
        .filter(({ wlan_id }) => wlan_id === shown)
        .map(({ wlan_id, ssid }) => (
          <QrCard key={wlan_id} ssid={ssid} />
        ))}
      <Traffic networks={rows} hours={graph.data?.data[0]} />
    </>
  );
}

/** A QR code that phones join a network with. */
function QrCard({ ssid }: { ssid: string }) {
  const t = useT();
  const [password, setPassword] = useState('');
  return (
    <Card title={t('wireless.qr_title', { ssid })}>
      <p className={styles.muted}>{t('wireless.qr_hint')}</p>
      <label htmlFor="wifi-password">{t('wireless.password')}</label>
      <PasswordField
        id="wifi-password"
        value={password}
        onChange={setPassword}
        autoComplete="off"
        placeholder={t('wireless.open_network')}
        aria-invalid={undefined}
        aria-describedby={undefined}
        aria-required={undefined}
      />
      <QrCode text={wifiText(ssid, password)} label={t('wireless.qr_title', { ssid })} className={styles.qr} />
    </Card>
  );
}

function Traffic({ networks, hours }: { networks: readonly Network[]; hours: Record<string, Hour[]> | undefined }) {
  const t = useT();
  const known = Object.entries(hours ?? {}).filter(([, list]) => list.length > 0);
  if (known.length === 0) return null;
  const nameOf = (key: string): string => {
    const network = networks.find(({ wlan_id }) => wlan_id.toLowerCase().replace(/[^a-z0-9]/g, '_') === key);
    const isAlone = networks.filter(({ ssid }) => ssid === network?.ssid).length === 1;
    // A router has the same network on each of its bands.
    return [network?.ssid || key, isAlone ? undefined : network?.band].filter(Boolean).join(' · ');
  };
  return known.map(([key, list]) => {
    const times = list.map(({ created_at }) => parseWire(created_at) ?? 0);
    const bytes: TimeSeries[] = [
      { label: t('fields.received'), values: list.map(({ received }) => received), color: 'accent', kind: 'line' },
      { label: t('fields.sent'), values: list.map(({ sent }) => sent), color: 'good', kind: 'line' },
    ];
    return (
      <Card key={key} title={`${nameOf(key)} · ${t('wireless.traffic')}`}>
        <TimeChart
          label={t('wireless.clients_axis')}
          fileName={`wifi-clients-${key}`}
          times={times}
          series={[
            { label: t('wireless.clients_axis'), values: list.map(({ clients_count }) => clients_count), color: 'accent', kind: 'line' },
          ]}
          format={formatNumber}
          formatTime={(time) => formatTime(time, 'MM-DD HH:mm')}
          height={140}
        />
        <TimeChart
          label={t('wireless.traffic')}
          fileName={`wifi-data-${key}`}
          times={times}
          series={bytes}
          format={formatBytes}
          formatTime={(time) => formatTime(time, 'MM-DD HH:mm')}
          height={160}
        />
      </Card>
    );
  });
}

function Hotspots({ device, receivedAt }: { device: Device; receivedAt: string | null }) {
  const { data, refetch } = useRead<DeviceHotspot[]>(`/devices/${device.id}/hotspots`, receivedAt);
  return (data?.data ?? []).map((hotspot) => (
    <HotspotCards key={hotspot.id} device={device} hotspot={hotspot} onChanged={() => void refetch()} />
  ));
}

function HotspotCards({ device, hotspot, onChanged }: { device: Device; hotspot: DeviceHotspot; onChanged(): void }) {
  const t = useT();
  const can = useCan();
  const [channel, setChannel] = useState<string>();
  useEffect(() => {
    if (channel === undefined) return undefined;
    return live.follow(channel, { onEvent: (event) => (event === 'JobProgress' ? onChanged() : undefined), onFollowed: onChanged });
  }, [channel, onChanged]);
  const ssid = hotspot.ssid || hotspot.hotspot_index;
  const mayChange = can('update_device_hotspots');
  const open = async (form: string, record: { id: number }, initial = {}): Promise<void> => {
    const result = await openForm(form, { record, initial, window: { subtitle: `${device.name} · ${ssid}` } });
    if (result) setChannel(result.meta.channel);
  };
  const read = async (): Promise<void> => {
    try {
      const answer = await dataProvider.custom({
        url: `/devices/${device.id}/hotspots/${hotspot.hotspot_index}/users/refresh`,
        method: 'post',
      });
      openJobOf({ data: null, meta: answer.meta });
      setChannel(answer.meta.channel);
    } catch (failure) {
      if (!isCancelled(failure)) toasts.error(failureMessage(failure, { fallback: t('wireless.read_failed') }));
    }
  };
  return (
    <>
      <TableCard
        title={t('wireless.accounts', { ssid })}
        rows={hotspot.accounts}
        none={t(hotspot.read_at === null ? 'wireless.never_read' : 'wireless.no_accounts')}
        keyOf={({ name }) => name}
        extra={
          <span className={styles.line}>
            <Button size="small" icon="refresh-cw" onClick={() => void read()}>
              {t('wireless.read')}
            </Button>
            {mayChange ? (
              <Button size="small" icon="plus" onClick={() => void open('hotspots/add-user', { id: hotspot.id })}>
                {t('wireless.add_account')}
              </Button>
            ) : null}
          </span>
        }
        columns={accountColumns(
          t,
          mayChange ? (username) => void open('hotspots/remove-user', { id: hotspot.id }, { username }) : undefined,
        )}
      />
      <TableCard
        title={t('wireless.sessions', { ssid })}
        rows={hotspot.sessions}
        none={t(hotspot.read_at === null ? 'wireless.never_read' : 'wireless.no_sessions')}
        keyOf={({ mac }) => mac}
        columns={[
          { key: 'name', title: t('wireless.name'), render: ({ name }) => name || '—' },
          { key: 'mac', title: t('fields.mac'), render: ({ mac }) => <code>{mac}</code> },
          { key: 'ip', title: t('devices.network.ip'), render: ({ ip }) => (ip ? <code>{ip}</code> : '—') },
          { key: 'since', title: t('wireless.since'), render: ({ started_at: time }) => (time ? <ExactTime time={time} /> : '—') },
          { key: 'received', title: t('fields.received'), render: ({ received }) => formatBytes(received) },
          { key: 'sent', title: t('fields.sent'), render: ({ sent }) => formatBytes(sent) },
        ]}
      />
      {hotspot.read_at === null ? null : (
        <p className={styles.muted}>
          {t('wireless.as_of')} <ExactTime time={hotspot.read_at} />
        </p>
      )}
    </>
  );
}

type Account = DeviceHotspot['accounts'][number];

function accountColumns(t: Translate, onRemove: ((name: string) => void) | undefined) {
  const limit = (value: number, text: string) => (value === 0 ? t('wireless.no_limit') : text);
  return [
    { key: 'name', title: t('wireless.name'), render: ({ name }: Account) => name },
    {
      key: 'minutes',
      title: t('fields.minutes'),
      render: ({ minutes }: Account) => limit(minutes, t('wireless.minutes', { count: minutes })),
    },
    {
      key: 'megabytes',
      title: t('fields.megabytes'),
      render: ({ megabytes }: Account) => limit(megabytes, formatBytes(megabytes * 1_000_000)),
    },
    {
      key: 'first',
      title: t('wireless.first_sign_in'),
      render: ({ first_at: time }: Account) => (time ? <ExactTime time={time} /> : '—'),
    },
    { key: 'ends', title: t('wireless.valid_until'), render: ({ ends_at: time }: Account) => (time ? <ExactTime time={time} /> : '—') },
    {
      key: 'actions',
      title: t('wireless.actions'),
      hidesTitle: true,
      render: ({ name }: Account) =>
        onRemove ? (
          <Button size="small" variant="ghost" onClick={() => onRemove(name)}>
            {t('wireless.delete_account')}
          </Button>
        ) : null,
    },
  ];
}
