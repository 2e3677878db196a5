import { useCustom, useOne } from '@refinedev/core';
import { Link } from 'react-router';
import type { User, UserAccess } from '../../../schemas/_generated/contract.ts';
import { PageActions } from '../../engine/actions/PageActions.tsx';
import { openForm } from '../../engine/form/index.ts';
import { HistoryPanel } from '../../engine/history/HistoryPanel.tsx';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { roleTitle } from '../../kernel/session/role-title.ts';
import { Avatar, Button, Card, ErrorState, PageError, PageHeader, RelativeTime, Skeleton, StatusMark } from '../../ui/index.ts';
import styles from './users.module.css';

/** As `GET /users/{id}/sessions` answers. */
interface UserSession {
  device: string;
  ip: string;
  company_name: string;
  last_used_at: string;
  created_at: string;
}

/** One user: who it is, in which companies with which role, where they are signed in, and what they did last. */
export default function UserPage({ id }: { id: number }) {
  const t = useT();
  const can = useCan();
  const { query } = useOne<User, ApiError>({ resource: 'users', id, errorNotification: false });
  const { query: access } = useCustom<UserAccess, ApiError>({ url: `/users/${id}/access`, method: 'get', errorNotification: false });
  const user = query.data?.data;
  if (query.error)
    return <PageError error={query.error} onRetry={() => void query.refetch()} action={t('common.load')} item={t('entities.user')} />;
  if (!user) return <Skeleton width={260} height={28} />;
  const reload = () => {
    void query.refetch();
    void access.refetch();
  };
  return (
    <div className={styles.page}>
      <PageHeader
        title={user.username}
        subtitle={user.email}
        breadcrumb={[
          <Link key="above" to="/users">
            {t('resources.users.title')}
          </Link>,
        ]}
        actions={<PageActions resource="users" row={{ ...user }} onDone={reload} />}
      />
      <div className={styles.grid}>
        <div className={styles.column}>
          <Card title={t('users.page.companies')}>
            {access.error ? (
              <ErrorState
                error={access.error}
                onRetry={() => void access.refetch()}
                action={t('common.load')}
                item={t('users.page.companies')}
              />
            ) : (
              <Places access={access.data?.data} />
            )}
          </Card>
          {can('view_history') ? <HistoryPanel userId={id} title={t('users.page.did')} /> : null}
        </div>
        <div className={styles.column}>
          <About user={user} access={access.data?.data} />
          {can('update_users') ? <Sessions id={id} /> : null}
          {can('view_history') ? <HistoryPanel entity="user" entityId={id} /> : null}
        </div>
      </div>
    </div>
  );
}

function About({ user, access }: { user: User; access: UserAccess | undefined }) {
  const t = useT();
  const factor = access?.has_second_factor ?? null;
  return (
    <Card title={t('users.page.about')}>
      <Avatar seed={user.id} size={40} />
      <dl className={styles.facts}>
        <dt>{t('fields.last_login_at')}</dt>
        <dd>{user.last_login_at ? <RelativeTime time={user.last_login_at} saysAgo /> : t('users.page.never')}</dd>
        <dt>{t('fields.created_at')}</dt>
        <dd>
          <RelativeTime time={user.created_at} saysAgo />
        </dd>
        {factor === null ? null : (
          <>
            <dt>{t('fields.has_second_factor')}</dt>
            <dd>
              <StatusMark kind={factor ? 'good' : 'warn'}>{t(factor ? 'users.page.factorOn' : 'users.page.factorOff')}</StatusMark>
            </dd>
          </>
        )}
      </dl>
    </Card>
  );
}

function Places({ access }: { access: UserAccess | undefined }) {
  const t = useT();
  const can = useCan();
  if (!access) return <Skeleton height={60} />;
  return (
    <>
      <ul className={styles.lines}>
        {access.places.map((place) => {
          const role = roleTitle({ name: place.role_name, title: place.role_title });
          return (
            <li key={place.company_id} className={styles.line}>
              <span>
                {can('view_companies') ? <Link to={`/companies/${place.company_id}`}>{place.company_name}</Link> : place.company_name}
                {' · '}
                {can('view_roles') ? <Link to={`/users/roles/${place.role_id}`}>{role}</Link> : role}
              </span>
              <span className={styles.quiet}>
                {place.is_disabled ? <StatusMark kind="idle">{t('users.disabled')}</StatusMark> : null}{' '}
                {t('users.page.reach', { count: place.companies_count })}
                {place.permissions === null ? '' : ` · ${t('users.page.permissions', { count: place.permissions.length })}`}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Sessions({ id }: { id: number }) {
  const t = useT();
  const { query } = useCustom<UserSession[], ApiError>({ url: `/users/${id}/sessions`, method: 'get', errorNotification: false });
  const sessions = query.data?.data;
  const end = async () => {
    if (await openForm('users/end-sessions', { record: { id } })) await query.refetch();
  };
  return (
    <Card
      title={t('users.page.sessions')}
      extra={
        sessions && sessions.length > 0 ? (
          <Button variant="danger" icon="log-out" size="small" onClick={() => void end()}>
            {t('forms.users.end-sessions.submit')}
          </Button>
        ) : null
      }
    >
      {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {!sessions && !query.error ? <Skeleton height={60} /> : null}
      {sessions?.length === 0 ? <p className={styles.quiet}>{t('users.page.noSessions')}</p> : null}
      <ul className={styles.lines}>
        {sessions?.map((session) => (
          <li key={`${session.created_at} ${session.ip} ${session.device}`}>
            {session.device || t('users.page.unknownDevice')}
            <br />
            <span className={styles.quiet}>
              {session.company_name} · {session.ip} · <RelativeTime time={session.last_used_at} saysAgo />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
