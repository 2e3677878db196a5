import { useList } from '@refinedev/core';
import { useState } from 'react';
import type { Change } from '../../../schemas/_generated/contract.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, GrowingCard, RelativeTime } from '../../ui/index.ts';
import { openForm } from '../form/index.ts';
import { FieldChanges } from './ChangeRows.tsx';
import { changeSentence, whereText, whoText } from './sentence.ts';
import styles from './history.module.css';

const STEP = 10;

/** Of a record, or of what one user did. */
type HistoryPanelProps =
  | { entity: 'device' | 'company' | 'user' | 'tag' | 'role'; entityId: number; title?: string; userId?: never }
  | { userId: number; title: string; entity?: never; entityId?: never };

/** Who changed this record, when and how, newest first; what can be undone has a button for it. */
export function HistoryPanel({ entity, entityId, userId, title }: HistoryPanelProps) {
  const t = useT();
  const [limit, setLimit] = useState(STEP);
  const { query } = useList<Change, ApiError>({
    resource: 'history/changes',
    pagination: { currentPage: 1, pageSize: limit },
    filters:
      userId === undefined
        ? [
            { field: 'entity', operator: 'eq', value: entity },
            { field: 'entity_id', operator: 'eq', value: entityId },
          ]
        : [{ field: 'user_id', operator: 'eq', value: userId }],
    queryOptions: { placeholderData: (previous) => previous },
    errorNotification: false,
  });
  const { data, error, refetch } = query;
  return (
    <GrowingCard
      title={title ?? t('history.title')}
      none={t('history.none')}
      total={data?.total}
      error={error}
      onRetry={() => void refetch()}
      limit={limit}
      step={STEP}
      onLimit={setLimit}
      height={100}
    >
      <ol className={styles.entries}>
        {data?.data.map((change) => (
          <li key={change.id}>
            <Entry change={change} onUndone={() => void refetch()} />
          </li>
        ))}
      </ol>
    </GrowingCard>
  );
}

function Entry({ change, onUndone }: { change: Change; onUndone: () => void }) {
  const t = useT();
  const undo = async () => {
    // Of this record alone, whatever else the same call did.
    if (await openForm('history/undo', { record: { ...change } })) onUndone();
  };
  return (
    <>
      <p className={styles.head}>
        <strong>{changeSentence(t, change)}</strong>
        <span className={styles.who}>
          {whoText(t, change)} · {whereText(t, change)} <RelativeTime time={change.created_at} saysAgo />
        </span>
      </p>
      <FieldChanges before={change.before} after={change.after} labels={change.labels} />
      {change.is_undoable && change.count === 1 ? (
        <Button size="small" icon="undo-2" onClick={() => void undo()}>
          {t('actions.changes.undo')}
        </Button>
      ) : null}
      {change.undone_count > 0 ? <p className={styles.who}>{t('history.undone.all')}</p> : null}
    </>
  );
}
