import { useList } from '@refinedev/core';
import { lazy, Suspense, useState } from 'react';
import type { HistoryEntry } from '../../../schemas/_generated/contract.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { hasText, useT, withTexts } from '../../kernel/i18n/index.ts';
import { Button, ErrorState, Skeleton } from '../../ui/index.ts';
import { changedFields } from './changed-fields.ts';
import styles from './history.module.css';

const RawRecord = lazy(withTexts(['json'], () => import('./RawRecord.tsx')));

const STEP = 20;
const MAX_LIMIT = 100;

/** The records of a change, one by one, each with what it was before and is after; raw: as they are kept, in JSON. */
export function ChangeRows({ id, isRaw = false }: { id: number; isRaw?: boolean }) {
  const t = useT();
  const [limit, setLimit] = useState(STEP);
  const { query } = useList<HistoryEntry, ApiError>({
    resource: 'history',
    pagination: { currentPage: 1, pageSize: limit },
    sorters: [{ field: 'id', order: 'asc' }],
    filters: [{ field: 'change_id', operator: 'eq', value: id }],
    queryOptions: { placeholderData: (previous) => previous },
    errorNotification: false,
  });
  const { data, error, refetch } = query;
  const total = data?.total ?? 0;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('history.title')} />;
  if (!data) return <Skeleton height={60} />;
  return (
    <>
      <ol className={styles.rows}>
        {data.data.map((entry) => (
          <li key={entry.id}>
            <p className={styles.head}>
              <strong>{entry.entity_name}</strong>
              {entry.is_undone ? <span className={styles.who}>{t('history.undone.all')}</span> : null}
            </p>
            {isRaw ? (
              <Suspense fallback={<Skeleton height={60} />}>
                <RawRecord entry={entry} />
              </Suspense>
            ) : null}
            {isRaw ? null : <FieldChanges before={entry.before} after={entry.after} labels={entry.labels} />}
          </li>
        ))}
      </ol>
      {total > limit && limit < MAX_LIMIT ? (
        <Button variant="link" onClick={() => setLimit(Math.min(limit + STEP, MAX_LIMIT))}>
          {t('common.showMore')}
        </Button>
      ) : null}
    </>
  );
}

/** The fields that a change gave other values. */
export function FieldChanges({ before, after, labels }: Pick<HistoryEntry, 'before' | 'after' | 'labels'>) {
  const t = useT();
  const changes = changedFields(before, after, labels);
  if (changes.length === 0) return null;
  return (
    <dl className={styles.changes}>
      {changes.map((change) => (
        <div key={change.field}>
          <dt>{hasText(`fields.${change.field}`) ? t(`fields.${change.field}`) : change.field}</dt>
          <dd>
            {change.before === undefined ? null : <del>{change.before}</del>} <ins>{change.after ?? '—'}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
