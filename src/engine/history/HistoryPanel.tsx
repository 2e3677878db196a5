import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Change } from '../../../schemas/_generated/contract.ts';
import { api } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { openForm } from '../form/index.ts';
import { FieldChanges } from './ChangeRows.tsx';
import { changeSentence, whereText, whoText } from './sentence.ts';
import styles from './history.module.css';

const STEP = 10;
const MAX_LIMIT = 100;

interface HistoryPanelProps {
  entity: 'device' | 'company' | 'user' | 'tag' | 'role';
  entityId: number;
}

/** Who changed this record, when and how, newest first; what can be taken back has a button for it. */
export function HistoryPanel({ entity, entityId }: HistoryPanelProps) {
  const t = useT();
  const [limit, setLimit] = useState(STEP);
  const { data, error, refetch } = useQuery({
    queryKey: ['history', entity, entityId, limit],
    queryFn: () => api.get<Change[]>('/history/changes', { query: { entity, entity_id: entityId, limit } }),
    placeholderData: (previous) => previous,
  });
  const total = data?.meta.total ?? 0;
  return (
    <Card title={t('history.title')} isFlush>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('history.title')} /> : null}
      {!data && !error ? <Skeleton height={100} /> : null}
      {data?.data.length === 0 ? <p className={styles.nothing}>{t('history.none')}</p> : null}
      <ol className={styles.entries}>
        {data?.data.map((change) => (
          <li key={change.id}>
            <Entry change={change} onUndone={() => void refetch()} />
          </li>
        ))}
      </ol>
      {total > limit && limit < MAX_LIMIT ? (
        <div className={styles.more}>
          <Button variant="link" onClick={() => setLimit(Math.min(limit + STEP, MAX_LIMIT))}>
            {t('common.showMore')}
          </Button>
        </div>
      ) : null}
    </Card>
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
          {whoText(t, change)} · {whereText(t, change)} <RelativeTime time={change.created_at} />
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
