import { useList } from '@refinedev/core';
import type { RemoteSession } from '../../../schemas/_generated/contract.ts';
import { openForm } from '../../engine/form/open-form.ts';
import { formatBytes } from '../../engine/table/format.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { SECOND } from '../../kernel/time/index.ts';
import { Card, Code, ErrorState, IconButton, RelativeTime, Skeleton, SmallTable } from '../../ui/index.ts';
import styles from './remote-access.module.css';

const LOOK_EVERY_MS = 5 * SECOND;
const MOST = 100;

/** Who is connected to an entry now, asked again every few seconds while the page is open; each session can be ended. */
export function OpenSessions({ entryId }: { entryId: number }) {
  const t = useT();
  const can = useCan();
  const { query } = useList<RemoteSession, ApiError>({
    resource: 'access-history',
    filters: [
      { field: 'entry_id', operator: 'eq', value: entryId },
      { field: 'active', operator: 'eq', value: 1 },
    ],
    pagination: { currentPage: 1, pageSize: MOST },
    queryOptions: { refetchInterval: LOOK_EVERY_MS },
    errorNotification: false,
  });
  const { data, error, refetch } = query;
  async function end(id: number): Promise<void> {
    if (await openForm('remote-access/end', { record: { id } })) await refetch();
  }
  const title = t('remote-access.live');
  const sessions = data?.data ?? [];
  return (
    <Card title={title}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton height={60} /> : null}
      {data && sessions.length === 0 ? <p className={styles.muted}>{t('remote-access.nobody')}</p> : null}
      {sessions.length > 0 ? (
        <div className={styles.scroll}>
          <SmallTable
            hasRowNames
            label={title}
            columns={[
              { key: 'username', title: t('fields.username'), render: (row: RemoteSession) => row.username },
              { key: 'ip', title: t('fields.ip'), render: (row: RemoteSession) => <Code>{row.ip}</Code> },
              {
                key: 'start_time',
                title: t('fields.start_time'),
                render: (row: RemoteSession) => <RelativeTime time={row.start_time} saysAgo />,
              },
              { key: 'input_data', title: t('fields.input_data'), render: (row: RemoteSession) => formatBytes(row.input_data) },
              { key: 'output_data', title: t('fields.output_data'), render: (row: RemoteSession) => formatBytes(row.output_data) },
              {
                key: 'end',
                title: '',
                render: (row: RemoteSession) =>
                  can('execute_device_remote_access') ? (
                    <IconButton icon="x" label={`${t('remote-access.end')}: ${row.username}`} onClick={() => void end(row.id)} />
                  ) : null,
              },
            ]}
            rows={sessions}
            keyOf={(row) => String(row.id)}
          />
        </div>
      ) : null}
    </Card>
  );
}
