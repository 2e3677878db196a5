import type { HostChange } from '../../../schemas/kit/devices/network-map.ts';
import { DialogWindow } from '../../engine/dialogs/index.ts';
import type { DialogComponent } from '../../engine/dialogs/registry.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { EmptyState, RelativeTime, SmallTable, StatusMark, type StatusKind } from '../../ui/index.ts';
import styles from './details.module.css';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    /** What is otherwise in a network than a day ago. */
    'devices.network-map-changes': { props: { changes: HostChange[] }; result: undefined };
  }
}

const MARKS: Record<HostChange['kind'], StatusKind> = { new: 'good', gone: 'idle', moved: 'warn', address: 'warn' };
const dash = (value: string | null): string => value ?? '—';

function Change({ change: { kind, ip, port, former_ip, former_port } }: { change: HostChange }) {
  if (kind === 'moved') return `${dash(former_port)} → ${dash(port)}`;
  if (kind === 'address') return `${dash(former_ip)} → ${dash(ip)}`;
  return dash(port);
}

const NetworkMapChanges: DialogComponent<'devices.network-map-changes'> = ({ dialog, changes }) => {
  const t = useT();
  return (
    <DialogWindow dialog={dialog} title={t('map.network.changes.title')} size="large">
      {changes.length === 0 ? (
        <EmptyState title={t('map.network.no_changes')} text={t('map.network.no_changes.text')} />
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls must be reachable without a mouse.
        <div className={styles.scroll} role="region" aria-label={t('map.network.changes.title')} tabIndex={0}>
          <SmallTable<HostChange>
            className={styles.table}
            label={t('map.network.changes.title')}
            rows={changes}
            keyOf={({ mac }) => mac}
            columns={[
              {
                key: 'kind',
                title: t('map.network.change'),
                render: ({ kind }) => <StatusMark kind={MARKS[kind]}>{t(`map.network.${kind}`)}</StatusMark>,
              },
              { key: 'name', title: t('map.network.name'), render: ({ name, ip }) => name || dash(ip) },
              { key: 'mac', title: t('fields.mac'), render: ({ mac }) => <code>{mac}</code> },
              { key: 'device', title: t('map.network.device'), render: ({ device_name: name }) => name },
              { key: 'where', title: t('map.network.from_to'), render: (change) => <Change change={change} /> },
              { key: 'at', title: t('map.network.at'), render: ({ at }) => <RelativeTime time={at} saysAgo /> },
            ]}
          />
        </div>
      )}
    </DialogWindow>
  );
};
export default NetworkMapChanges;
