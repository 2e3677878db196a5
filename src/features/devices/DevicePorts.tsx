import type { DeviceDetails } from '../../../schemas/_generated/contract.ts';
import { formatNumber, useT, type Translate } from '../../kernel/i18n/index.ts';
import { Card, cx, StatusMark } from '../../ui/index.ts';
import { NotReported, ReportLine, TableCard, type DetailsPartProps } from './DetailsParts.tsx';
import styles from './details.module.css';

type Port = NonNullable<DeviceDetails['ports']>[number];

const speedWords = (t: Translate, speed: number): string =>
  speed >= 1000 ? t('devices.ports.gbit', { value: formatNumber(speed / 1000) }) : t('devices.ports.mbit', { value: formatNumber(speed) });

function linkName({ link }: Port): 'up' | 'down' | 'unknown' {
  if (link === null) return 'unknown';
  return link ? 'up' : 'down';
}

const linkKinds = { up: 'good', down: 'idle', unknown: 'idle' } as const;

function poeWords(t: Translate, { poe, poe_watts: watts }: Port): string {
  if (poe === null) return '—';
  if (!poe) return t('devices.ports.poe_off');
  return watts === null ? t('devices.io.on') : t('devices.ports.watts', { value: formatNumber(watts) });
}

/** The sockets of a device side by side, as they are on its back: what is connected is lit. */
function Sockets({ ports }: { ports: readonly Port[] }) {
  const t = useT();
  return (
    <ul className={styles.sockets}>
      {ports.map((port) => {
        const { name, speed, hosts, poe } = port;
        const link = linkName(port);
        const words = [name, t(`devices.ports.${link}`), speed === null ? '' : speedWords(t, speed), hosts.length > 0 ? t('devices.ports.hosts_count', { count: hosts.length }) : ''].filter(Boolean); // prettier-ignore
        return (
          <li key={name} className={cx(styles.socket, link === 'up' && styles.socketUp)} title={words.join(', ')}>
            <svg viewBox="0 0 40 34" width="40" height="34" aria-hidden="true">
              <rect className={styles.socketBody} x="1" y="1" width="38" height="32" rx="4" />
              <path className={styles.socketHole} d="M8 27V13h6V9h12v4h6v14z" />
              <path className={styles.socketPins} d="M13 27v-5M16.5 27v-5M20 27v-5M23.5 27v-5M27 27v-5" />
              <circle className={styles.socketLight} cx="6" cy="6" r="2.4" />
              {poe ? <path className={styles.socketPower} d="m35 3-4 5h2.4L32 12l4-5h-2.4z" /> : null}
            </svg>
            <span className={styles.socketName}>{name}</span>
            <span className={styles.muted}>{speed === null ? t(`devices.ports.${link}`) : speedWords(t, speed)}</span>
          </li>
        );
      })}
    </ul>
  );
}

function Hosts({ hosts }: { hosts: Port['hosts'] }) {
  if (hosts.length === 0) return <span className={styles.muted}>—</span>;
  return (
    <ul className={styles.hosts}>
      {hosts.map(({ mac, ip, name }) => (
        <li key={mac}>
          {name ? <strong>{name}</strong> : null} {ip ? <code>{ip}</code> : null} <code className={styles.muted}>{mac}</code>
        </li>
      ))}
    </ul>
  );
}

/** The Ethernet ports of a device: what is in them, how fast, and who is behind. */
export function DevicePorts({ device, details }: DetailsPartProps) {
  const t = useT();
  const { ports } = details;
  if (!ports || ports.length === 0) return <NotReported device={device} details={details} />;
  return (
    <div className={styles.column}>
      <Card>
        <Sockets ports={ports} />
        <ReportLine device={device} details={details} label={t('devices.ports.scan')} />
      </Card>
      <TableCard
        title={t('devices.ports.title')}
        rows={ports}
        keyOf={({ name }) => name}
        columns={[
          { key: 'port', title: t('devices.ports.port'), render: ({ name }) => name },
          {
            key: 'link',
            title: t('devices.ports.link'),
            render: (port) => <StatusMark kind={linkKinds[linkName(port)]}>{t(`devices.ports.${linkName(port)}`)}</StatusMark>,
          },
          {
            key: 'speed',
            title: t('devices.ports.speed'),
            render: ({ speed, duplex }) =>
              [speed === null ? '—' : speedWords(t, speed), duplex ? t(`devices.ports.${duplex}`) : ''].filter(Boolean).join(', '),
          },
          ...(ports.some(({ poe }) => poe !== null)
            ? [{ key: 'poe', title: t('devices.ports.poe'), render: (port: Port) => poeWords(t, port) }]
            : []),
          { key: 'hosts', title: t('devices.ports.hosts'), render: ({ hosts }) => <Hosts hosts={hosts} /> },
        ]}
      />
    </div>
  );
}
