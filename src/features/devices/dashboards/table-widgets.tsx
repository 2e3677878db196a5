import { Link } from 'react-router';
import type { Device } from '../../../../schemas/_generated/contract.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import { SmallTable, StatusMark } from '../../../ui/index.ts';
import { statusKinds, statusName } from '../status.ts';
import { useDevices, type WidgetProps } from './dashboard-data.ts';
import { FEW_ROWS, Loaded, Nothing, useDevice, wordsOf } from './widget-parts.tsx';
import styles from './dashboards.module.css';

const DeviceName = ({ device }: { device: Device }) => <Link to={`/devices/${device.id}`}>{device.name}</Link>;
const DeviceStatus = ({ device }: { device: Device }) => {
  const name = statusName(device.status);
  return <StatusMark kind={statusKinds[name]}>{useT()(`devices.status.${name}`)}</StatusMark>;
};

export function FleetTable({ widget: { source, count = FEW_ROWS }, around }: WidgetProps) {
  const t = useT();
  const query = useDevices(around, {
    limit: String(count),
    sort: source === 'offline' ? '-last_connection_at' : 'name',
    ...(source === 'offline' ? { status: 'offline' } : {}),
  });
  return (
    <Loaded query={query}>
      {(rows) =>
        rows.length === 0 ? (
          <Nothing />
        ) : (
          <SmallTable
            className={styles.table}
            hasRowNames
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { key: 'name', title: t('fields.name'), render: (device) => <DeviceName device={device} /> },
              { key: 'status', title: t('fields.status'), render: (device) => <DeviceStatus device={device} /> },
              { key: 'model', title: t('fields.model'), render: ({ model }) => model },
            ]}
          />
        )
      }
    </Loaded>
  );
}

const IDENTITY = ['name', 'serial', 'mac', 'model', 'firmware', 'operator', 'wan_ip'] as const;

export function Identity({ around }: WidgetProps) {
  const t = useT();
  return (
    <Loaded query={useDevice(around)}>
      {(device) => (
        <SmallTable
          className={styles.table}
          hasRowNames
          hidesHead
          rows={IDENTITY}
          keyOf={(name) => name}
          columns={[
            { key: 'name', title: '', render: (name) => t(`fields.${name}`) },
            { key: 'value', title: '', render: (name) => device[name] ?? '—' },
          ]}
        />
      )}
    </Loaded>
  );
}

export function Lights({ widget: { count = 50 }, around }: WidgetProps) {
  return (
    <Loaded query={useDevices(around, { limit: String(count), sort: 'name' })}>
      {(rows) =>
        rows.length === 0 ? (
          <Nothing />
        ) : (
          <ul className={styles.lights}>
            {rows.map((device) => (
              <li key={device.id}>
                <StatusMark kind={statusKinds[statusName(device.status)]}>
                  <DeviceName device={device} />
                </StatusMark>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

export function Top({ widget: { source = '', count = FEW_ROWS }, around }: WidgetProps) {
  const t = useT();
  const valueOf = (device: Device): unknown => Object.entries(device).find(([name]) => name === source)?.[1];
  return (
    <Loaded query={useDevices(around, { limit: String(count), sort: `-${source}` })}>
      {(rows) => (
        <ol className={styles.top}>
          {rows
            .filter((device) => typeof valueOf(device) === 'number')
            .map((device) => (
              <li key={device.id}>
                <DeviceName device={device} /> <strong>{wordsOf(t, source, valueOf(device))}</strong>
              </li>
            ))}
        </ol>
      )}
    </Loaded>
  );
}
