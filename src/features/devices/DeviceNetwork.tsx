import { useT } from '../../kernel/i18n/index.ts';
import { Card, ExactTime, StatusMark } from '../../ui/index.ts';
import { NotReported, ReportLine, TableCard, type DetailsPartProps } from './DetailsParts.tsx';
import styles from './details.module.css';

const dash = (value: string | number | null): string => (value === null ? '—' : String(value));

/** The networks of a device: interfaces, who got an address, where traffic goes, and the Wi-Fi that it makes. */
export function DeviceNetwork({ device, details }: DetailsPartProps) {
  const t = useT();
  const { interfaces, leases, routes, dns, wireless, hotspots } = details;
  if (!interfaces && !leases && !routes && !dns && !wireless) return <NotReported device={device} details={details} />;
  const stateOf = (up: boolean | null) =>
    up === null ? '—' : <StatusMark kind={up ? 'good' : 'idle'}>{t(`devices.network.${up ? 'up' : 'down'}`)}</StatusMark>;
  return (
    <div className={styles.column}>
      <ReportLine device={device} details={details} label={t('devices.details.refresh')} />
      <TableCard
        title={t('devices.network.interfaces')}
        rows={interfaces}
        keyOf={({ name }) => name}
        columns={[
          { key: 'name', title: t('devices.network.name'), render: ({ name }) => name },
          { key: 'state', title: t('devices.network.state'), render: ({ up }) => stateOf(up) },
          {
            key: 'addresses',
            title: t('devices.network.addresses'),
            render: ({ addresses }) =>
              addresses.length === 0
                ? '—'
                : addresses.map((address) => (
                    <code key={address} className={styles.address}>
                      {address}
                    </code>
                  )),
          },
          { key: 'mac', title: t('fields.mac'), render: ({ mac }) => (mac ? <code>{mac}</code> : '—') },
          { key: 'mtu', title: t('devices.network.mtu'), render: ({ mtu }) => dash(mtu) },
        ]}
      />
      <TableCard
        title={t('devices.network.wireless')}
        rows={wireless}
        keyOf={(one) => one.interface}
        columns={[
          { key: 'ssid', title: t('devices.network.ssid'), render: ({ ssid }) => dash(ssid) },
          { key: 'interface', title: t('devices.network.interface'), render: (one) => one.interface },
          { key: 'state', title: t('devices.network.state'), render: ({ is_active }) => stateOf(is_active) },
          { key: 'band', title: t('devices.network.band'), render: ({ band }) => dash(band) },
          { key: 'channel', title: t('devices.network.channel'), render: ({ channel }) => dash(channel) },
          { key: 'clients', title: t('devices.network.clients'), render: ({ clients }) => dash(clients) },
        ]}
      />
      <TableCard
        title={t('devices.network.hotspots')}
        rows={hotspots && hotspots.length > 0 ? hotspots : null}
        keyOf={({ index }) => String(index)}
        columns={[
          { key: 'ssid', title: t('devices.network.ssid'), render: ({ ssid, index }) => ssid ?? String(index) },
          { key: 'state', title: t('devices.network.state'), render: ({ is_active }) => stateOf(is_active) },
          { key: 'ip', title: t('devices.network.ip'), render: ({ ip }) => dash(ip) },
          { key: 'users', title: t('devices.network.users'), render: ({ users }) => dash(users) },
        ]}
      />
      <TableCard
        title={t('devices.network.leases')}
        rows={leases}
        keyOf={({ mac, ip }) => `${mac} ${ip}`}
        columns={[
          { key: 'name', title: t('devices.network.name'), render: ({ name }) => dash(name) },
          { key: 'ip', title: t('devices.network.ip'), render: ({ ip }) => <code>{ip}</code> },
          { key: 'mac', title: t('fields.mac'), render: ({ mac }) => <code>{mac}</code> },
          {
            key: 'expires',
            title: t('devices.network.expires'),
            render: ({ expires_at: time }) => (time ? <ExactTime time={time} /> : '—'),
          },
        ]}
      />
      <TableCard
        title={t('devices.network.routes')}
        rows={routes?.map((route, index) => ({ ...route, index })) ?? null}
        keyOf={({ index }) => String(index)}
        columns={[
          {
            key: 'to',
            title: t('devices.network.to'),
            render: ({ to }) => (to === 'default' ? t('devices.network.default') : <code>{to}</code>),
          },
          { key: 'via', title: t('devices.network.via'), render: ({ via }) => (via ? <code>{via}</code> : '—') },
          { key: 'interface', title: t('devices.network.interface'), render: (route) => dash(route.interface) },
          { key: 'metric', title: t('devices.network.metric'), render: ({ metric }) => dash(metric) },
        ]}
      />
      {dns ? (
        <Card title={t('devices.network.dns')}>
          {dns.length === 0 ? (
            <p className={styles.muted}>{t('devices.network.empty')}</p>
          ) : (
            dns.map((server) => (
              <code key={server} className={styles.address}>
                {server}
              </code>
            ))
          )}
        </Card>
      ) : null}
    </div>
  );
}
