import { useCustom } from '@refinedev/core';
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { type Bar, BarChart, Card, ErrorState, Skeleton, StatusMark } from '../../ui/index.ts';
import styles from './tags.module.css';

/** The states of devices by the server's number, with the list's filter for each, in the order drawn. */
const STATES = [
  { number: '1', name: 'online', kind: 'good' },
  { number: '0', name: 'offline', kind: 'bad' },
  { number: '2', name: 'pending', kind: 'warn' },
  { number: 'null', name: 'not_activated', kind: 'idle' },
] as const;

const addressOf = (tagId: number, status: string): string => `/management/devices?tag_id=${tagId}&status=${status}`;

/** How many devices of a tag are online, offline, pending and not activated: a bar for each, which leads to those devices. */
export function StatusChart({ tagId }: { tagId: number }) {
  const t = useT();
  const navigate = useNavigate();
  const { query } = useCustom<{ status: Record<string, number> }, ApiError>({
    url: '/devices/statistics',
    method: 'get',
    config: { query: { tag_id: tagId } },
    errorNotification: false,
  });
  const { error, refetch } = query;
  const data = query.data?.data.status;
  const total = Object.values(data ?? {}).reduce((sum, count) => sum + count, 0);
  const bars = useMemo(
    () =>
      STATES.map(({ number, name, kind }): Bar => ({ label: t(`values.device.status.${name}`), value: data?.[number] ?? 0, color: kind })),
    [data, t],
  );
  return (
    <Card title={t('tags.chart.title')}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton height={120} /> : null}
      {data && total === 0 ? <p className={styles.muted}>{t('tags.chart.empty')}</p> : null}
      {data && total > 0 ? (
        <BarChart
          label={t('tags.chart.title')}
          fileName={t('tags.chart.title')}
          bars={bars}
          format={formatNumber}
          height={130}
          hasTableBeside
          onChoose={(index) => void navigate(addressOf(tagId, STATES[index]?.name ?? ''))}
        />
      ) : null}
      {data && total > 0 ? (
        <ul className={styles.chart}>
          {STATES.map(({ number, name, kind }) => {
            const count = data[number] ?? 0;
            return (
              <li key={name}>
                <Link to={addressOf(tagId, name)} className={styles.state}>
                  <StatusMark kind={kind}>{t(`values.device.status.${name}`)}</StatusMark>
                  <span className={styles.count}>{formatNumber(count)}</span>
                </Link>
              </li>
            );
          })}
        </ul>
      ) : null}
    </Card>
  );
}
