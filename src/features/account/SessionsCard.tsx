import { useCustom, useCustomMutation, useDelete, type BaseRecord } from '@refinedev/core';
import { useState } from 'react';
import { doneNotice, failureNotice } from '../../engine/data/notification-provider.tsx';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, Card, ErrorState, RelativeTime, Skeleton, StatusMark } from '../../ui/index.ts';
import styles from './SettingsPage.module.css';

interface Session {
  id: number;
  device: string;
  ip: string;
  is_current: boolean;
  last_used_at: string;
  created_at: string;
}

/** Where the user is signed in; each session but this one can be ended, and all of them together. */
export function SessionsCard() {
  const t = useT();
  const { query } = useCustom<Session[], ApiError>({ url: '/account/sessions', method: 'get', errorNotification: false });
  const { mutate: endOne } = useDelete();
  const { mutate: endOthers } = useCustomMutation<BaseRecord, ApiError, undefined>();
  // A session's number, or all others.
  const [busy, setBusy] = useState<number | 'others'>();
  const sessions = query.data?.data ?? [];

  const afterwards = { onSettled: () => void query.refetch().finally(() => setBusy(undefined)) };
  const notices = (done: string) => ({ successNotification: doneNotice(done), errorNotification: failureNotice() });
  const handleEnd = (id: number) => {
    if (busy !== undefined) return;
    setBusy(id);
    endOne({ resource: 'account/sessions', id, ...notices(t('account.sessions.ended')) }, afterwards);
  };
  const handleEndOthers = () => {
    if (busy !== undefined) return;
    setBusy('others');
    endOthers({ url: '/account/sessions', method: 'delete', values: undefined, ...notices(t('account.sessions.endedOthers')) }, afterwards);
  };
  return (
    <Card
      title={t('account.sessions.title')}
      extra={
        sessions.length > 1 ? (
          <Button variant="danger" icon="log-out" size="small" isBusy={busy === 'others'} onClick={handleEndOthers}>
            {t('account.sessions.endOthers')}
          </Button>
        ) : null
      }
    >
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.isPending ? <Skeleton /> : null}
      <ul className={styles.sessions}>
        {sessions.map((session) => {
          const device = session.device || t('account.sessions.unknown');
          return (
            <li key={session.id} className={styles.session}>
              <div>
                <p className={styles.device}>
                  {device} {session.is_current ? <StatusMark kind="good">{t('account.sessions.this')}</StatusMark> : null}
                </p>
                <p className={styles.hint}>
                  {session.ip} · {t('account.sessions.used')} <RelativeTime time={session.last_used_at} saysAgo /> ·{' '}
                  {t('account.sessions.since')} <RelativeTime time={session.created_at} saysAgo />
                </p>
              </div>
              {session.is_current ? null : (
                <Button
                  size="small"
                  isBusy={busy === session.id}
                  aria-label={t('account.sessions.endOf', { device })}
                  onClick={() => handleEnd(session.id)}
                >
                  {t('account.sessions.end')}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
