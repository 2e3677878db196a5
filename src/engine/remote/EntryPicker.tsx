import { useList } from '@refinedev/core';
import { useState } from 'react';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, EmptyState, ErrorState, SearchInput, Skeleton, SmallTable } from '../../ui/index.ts';
import styles from './remote.module.css';

/** An entry of remote access as connect pages need it. */
export interface RemoteEntry {
  id: number;
  name: string;
  device_id: number;
  device_name: string;
  protocol: string;
  destination_ip: string;
  destination_port: number;
}

const MOST = 50;

/** What can be connected to over some protocols, found by typing. */
export function EntryPicker({ protocols, onChoose }: { protocols: readonly string[]; onChoose(entry: RemoteEntry): void }) {
  const t = useT();
  const [text, setText] = useState('');
  const { result, query } = useList<RemoteEntry, ApiError>({
    resource: 'remote-access',
    filters: [
      { field: 'protocol', operator: 'in', value: [...protocols] },
      ...(text.trim() === '' ? [] : [{ field: 'q', operator: 'eq' as const, value: text.trim() }]),
    ],
    pagination: { pageSize: MOST },
    queryOptions: { placeholderData: (before) => before },
  });
  const entries = result.data;
  return (
    <div className={styles.picker}>
      <h2>{t('remote.picker.title')}</h2>
      <SearchInput label={t('remote.picker.search')} value={text} onChange={setText} />
      {query.isLoading ? <Skeleton /> : null}
      {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.isSuccess && entries.length === 0 ? (
        <EmptyState icon="square-terminal" title={t('remote.picker.none')} text={t('remote.picker.none_hint')} />
      ) : null}
      {entries.length > 0 ? (
        <SmallTable
          label={t('remote.picker.title')}
          className={styles.entries}
          rows={entries}
          keyOf={({ id }) => id}
          hasRowNames
          columns={[
            { key: 'name', title: t('fields.name'), render: (entry) => entry.name },
            { key: 'device', title: t('fields.device_name'), render: (entry) => entry.device_name },
            {
              key: 'address',
              title: t('remote.key.address'),
              render: (entry) => `${entry.protocol} · ${entry.destination_ip}:${entry.destination_port}`,
            },
            {
              key: 'connect',
              title: t('remote.connect'),
              hidesTitle: true,
              render: (entry) => (
                <Button size="small" aria-label={t('remote.connect_to', { name: entry.name })} onClick={() => onChoose(entry)}>
                  {t('remote.connect')}
                </Button>
              ),
            },
          ]}
        />
      ) : null}
    </div>
  );
}
