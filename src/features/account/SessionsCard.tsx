import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { StatusMark } from '../../ui/StatusMark.tsx';
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
  const query = useQuery({ queryKey: ['account', 'sessions'], queryFn: async () => (await api.get<Session[]>('/account/sessions')).data });
  const [busy, setBusy] = useState<string>();
  const sessions = query.data ?? [];

  const end = async (path: string, done: string) => {
    if (busy) return;
    setBusy(path);
    try {
      await api.delete(path);
      toasts.success(done);
    } catch (error) {
      if (!isCancelled(error)) toasts.error(failureMessage(error));
    } finally {
      await query.refetch();
      setBusy(undefined);
    }
  };
  return (
    <Card
      title={t('account.sessions.title')}
      extra={
        sessions.length > 1 ? (
          <Button
            variant="danger"
            icon="log-out"
            size="small"
            isBusy={busy === '/account/sessions'}
            onClick={() => void end('/account/sessions', t('account.sessions.endedOthers'))}
          >
            {t('account.sessions.endOthers')}
          </Button>
        ) : null
      }
    >
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.isPending ? <Skeleton /> : null}
      <ul className={styles.sessions}>
        {sessions.map((session) => {
          const path = `/account/sessions/${session.id}`;
          const device = session.device || t('account.sessions.unknown');
          return (
            <li key={session.id} className={styles.session}>
              <div>
                <p className={styles.device}>
                  {device} {session.is_current ? <StatusMark kind="good">{t('account.sessions.this')}</StatusMark> : null}
                </p>
                <p className={styles.hint}>
                  {session.ip} · {t('account.sessions.used')} <RelativeTime time={session.last_used_at} /> · {t('account.sessions.since')}{' '}
                  <RelativeTime time={session.created_at} />
                </p>
              </div>
              {session.is_current ? null : (
                <Button
                  size="small"
                  isBusy={busy === path}
                  aria-label={t('account.sessions.endOf', { device })}
                  onClick={() => void end(path, t('account.sessions.ended'))}
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
