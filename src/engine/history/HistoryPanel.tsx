import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { HistoryEntry } from '../../../schemas/_generated/contract.ts';
import { api } from '../../kernel/http/index.ts';
import { hasText, useT, type Translate } from '../../kernel/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { changedFields } from './changed-fields.ts';
import styles from './history.module.css';

const STEP = 10;
const MAX_LIMIT = 100;

interface HistoryPanelProps {
  entity: 'device' | 'company' | 'user' | 'tag' | 'role';
  entityId: number;
}

/** Who changed this record, when and how, newest first. */
export function HistoryPanel({ entity, entityId }: HistoryPanelProps) {
  const t = useT();
  const [limit, setLimit] = useState(STEP);
  const { data, error, refetch } = useQuery({
    queryKey: ['history', entity, entityId, limit],
    queryFn: () => api.get<HistoryEntry[]>('/history', { query: { entity, entity_id: entityId, limit } }),
    placeholderData: (previous) => previous,
  });
  const total = data?.meta.total ?? 0;
  return (
    <Card title={t('history.title')} isFlush>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('history.title')} /> : null}
      {!data && !error ? <Skeleton height={100} /> : null}
      {data?.data.length === 0 ? <p className={styles.nothing}>{t('history.none')}</p> : null}
      <ol className={styles.entries}>
        {data?.data.map((entry) => (
          <li key={entry.id}>
            <Entry entry={entry} />
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

/** The text of an action; one without a text shows its name. */
export function useActionText(): (action: string) => string {
  const t = useT();
  return (action) => (hasText(`history.actions.${action}`) ? t(`history.actions.${action}`) : action);
}

/** Who did it; while impersonating, also for whom and from where. */
export function whoText(t: Translate, entry: Pick<HistoryEntry, 'user_name' | 'on_behalf_of_name' | 'ip'>): string {
  if (entry.on_behalf_of_name === null) return entry.user_name || t('history.system');
  const who = t('history.onBehalf', { actor: entry.user_name, user: entry.on_behalf_of_name });
  return entry.ip ? `${who} · ${entry.ip}` : who;
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const t = useT();
  const actionText = useActionText();
  const changes = changedFields(entry.before, entry.after);
  return (
    <>
      <p className={styles.head}>
        <strong>{actionText(entry.action)}</strong>
        <span className={styles.who}>
          {whoText(t, entry)} · <RelativeTime time={entry.created_at} />
        </span>
      </p>
      {changes.length > 0 ? (
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
      ) : null}
    </>
  );
}
