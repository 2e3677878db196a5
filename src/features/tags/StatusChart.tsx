import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { Card } from '../../ui/Card.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { StatusMark } from '../../ui/StatusMark.tsx';
import styles from './tags.module.css';

/** The states of devices by the server's number, with the list's filter for each, in the order drawn. */
const STATES = [
  { number: '1', name: 'online', kind: 'good' },
  { number: '0', name: 'offline', kind: 'bad' },
  { number: '2', name: 'pending', kind: 'warn' },
  { number: 'null', name: 'not_activated', kind: 'idle' },
] as const;

/** How many devices of a tag are online, offline, pending and not activated: a bar for each, which leads to those devices. */
export function StatusChart({ tagId }: { tagId: number }) {
  const t = useT();
  const { data, error, refetch } = useQuery({
    queryKey: ['tags', 'status', tagId],
    queryFn: async () =>
      (await api.get<{ status: Record<string, number> }>('/devices/statistics', { query: { tag_id: tagId } })).data.status,
  });
  const total = Object.values(data ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <Card title={t('tags.chart.title')}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton height={120} /> : null}
      {data && total === 0 ? <p className={styles.muted}>{t('tags.chart.empty')}</p> : null}
      {data && total > 0 ? (
        <ul className={styles.chart}>
          {STATES.map(({ number, name, kind }) => {
            const count = data[number] ?? 0;
            return (
              <li key={name}>
                <Link to={`/management/devices?tag_id=${tagId}&status=${name}`} className={styles.state}>
                  <StatusMark kind={kind}>{t(`values.device.status.${name}`)}</StatusMark>
                  <span className={styles.count}>{formatNumber(count)}</span>
                </Link>
                <svg className={styles.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
                  <rect className={styles.track} width="100" height="1" />
                  <rect className={styles[kind]} width={(100 * count) / total} height="1" />
                </svg>
              </li>
            );
          })}
        </ul>
      ) : null}
    </Card>
  );
}
