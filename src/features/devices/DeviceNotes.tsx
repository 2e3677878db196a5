import { useList } from '@refinedev/core';
import { useState } from 'react';
import type { Device, DeviceNote } from '../../../schemas/_generated/contract.ts';
import { actionEntries } from '../../engine/actions/action-entries.ts';
import { actionsAt } from '../../engine/actions/applicability.ts';
import { runAction } from '../../engine/actions/run-action.ts';
import { getResource } from '../../engine/resources/all.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Button, findIconName, GrowingCard, IconButton, Menu, RelativeTime } from '../../ui/index.ts';
import styles from './devices.module.css';

const STEP = 20;

/** What people have noted about the device, newest first. */
export function DeviceNotes({ device }: { device: Device }) {
  const t = useT();
  const can = useCan();
  const [limit, setLimit] = useState(STEP);
  const resource = getResource('device-notes');
  const { query } = useList<DeviceNote, ApiError>({
    resource: 'device-notes',
    filters: [{ field: 'device_id', operator: 'eq', value: device.id }],
    sorters: [{ field: 'created_at', order: 'desc' }],
    pagination: { currentPage: 1, pageSize: limit },
    queryOptions: { placeholderData: (previous) => previous },
    errorNotification: false,
  });
  const { data, error, refetch } = query;
  const reload = () => void refetch();
  return (
    <GrowingCard
      title={t('devices.notes.title')}
      none={t('devices.notes.none')}
      extra={actionsAt(resource, 'header', can).map((action) => (
        <Button
          key={action.id}
          icon={findIconName(action.icon)}
          onClick={() =>
            void runAction({ action, resource, target: { kind: 'none', initial: { device_id: device.id } }, reload }).then(reload)
          }
        >
          {t(`actions.${action.id}`)}
        </Button>
      ))}
      total={data?.total}
      error={error}
      onRetry={reload}
      limit={limit}
      step={STEP}
      onLimit={setLimit}
      height={120}
    >
      <ul className={styles.notes}>
        {data?.data.map((note) => (
          <li key={note.id}>
            <Note note={note} onDone={reload} />
          </li>
        ))}
      </ul>
    </GrowingCard>
  );
}

function Note({ note, onDone }: { note: DeviceNote; onDone: () => void }) {
  const t = useT();
  const can = useCan();
  const resource = getResource('device-notes');
  const row = { ...note };
  const entries = actionEntries(
    resource,
    row,
    actionsAt(resource, 'page', can),
    (action) => void runAction({ action, resource, target: { kind: 'record', row }, reload: onDone }).then(onDone),
  );
  return (
    <article>
      <header className={styles.noteHead}>
        <strong>{note.user_name}</strong>
        <span className={styles.muted}>
          <RelativeTime time={note.created_at} saysAgo />
          {note.updated_at === note.created_at ? null : ` · ${t('devices.notes.changed')}`}
        </span>
        {entries.length > 0 ? (
          <Menu label={t('devices.notes.actions', { name: note.user_name })} entries={entries}>
            <IconButton icon="ellipsis" label={t('devices.notes.actions', { name: note.user_name })} />
          </Menu>
        ) : null}
      </header>
      <p className={styles.noteText}>{note.text}</p>
    </article>
  );
}
