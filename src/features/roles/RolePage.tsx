import { useList, useOne } from '@refinedev/core';
import { Link } from 'react-router';
import type { Role, ServiceAccount, User } from '../../../schemas/_generated/contract.ts';
import { PageActions } from '../../engine/actions/PageActions.tsx';
import { HistoryPanel } from '../../engine/history/HistoryPanel.tsx';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Card, ErrorState, PageError, PageHeader, Skeleton } from '../../ui/index.ts';
import { PermissionMatrix } from './PermissionMatrix.tsx';
import { roleTitle } from '../../kernel/session/role-title.ts';
import { roleDescription } from './role-words.ts';
import styles from './roles.module.css';
import { usePermissions, useRolePermissions } from './use-permissions.ts';

const SHOWN_HOLDERS = 10;

/** One role: what it permits, who holds it, and what was done to it. */
export default function RolePage({ id }: { id: number }) {
  const t = useT();
  const can = useCan();
  const { query } = useOne<Role, ApiError>({ resource: 'roles', id, errorNotification: false });
  const { error, refetch } = query;
  const role = query.data?.data;
  const given = useRolePermissions(id);
  if (error) return <PageError error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('entities.role')} />;
  if (!role) return <Skeleton width={260} height={28} />;
  const description = roleDescription(role.name, role.description ?? '');
  const reload = () => {
    void refetch();
    void given.refetch();
  };
  return (
    <div className={styles.page}>
      <PageHeader
        title={roleTitle(role)}
        subtitle={role.company_name ?? t('roles.builtIn')}
        breadcrumb={[
          <Link key="above" to="/users/roles">
            {t('resources.roles.title')}
          </Link>,
        ]}
        actions={<PageActions resource="roles" row={{ ...role }} onDone={reload} />}
      />
      <div className={styles.grid}>
        {can('view_permissions') ? <Permissions roleId={id} /> : null}
        <div className={styles.column}>
          <Card title={t('roles.about')}>
            {description ? <p className={styles.description}>{description}</p> : null}
            <dl className={styles.facts}>
              <dt>{t('fields.role.scope')}</dt>
              <dd>{t(`values.role.scope.${role.scope}`)}</dd>
              <dt>{t('fields.name')}</dt>
              <dd>
                <code>{role.name}</code>
              </dd>
            </dl>
          </Card>
          {can('view_users') ? <Holders role={role} /> : null}
          {can('view_history') ? <HistoryPanel entity="role" entityId={id} /> : null}
        </div>
      </div>
    </div>
  );
}

function Permissions({ roleId }: { roleId: number }) {
  const t = useT();
  const all = usePermissions();
  const given = useRolePermissions(roleId);
  const error = all.error ?? given.error;
  const retry = () => void Promise.all([all.refetch(), given.refetch()]);
  return (
    <Card title={t('fields.permissions')}>
      {error ? <ErrorState error={error} onRetry={retry} action={t('common.load')} item={t('fields.permissions')} /> : null}
      {!error && !(all.data && given.data) ? <Skeleton height={300} /> : null}
      {all.data && given.data ? (
        <PermissionMatrix
          permissions={all.data}
          held={new Set(all.data.filter((permission) => given.data.includes(permission.id)).map((permission) => permission.name))}
        />
      ) : null}
    </Card>
  );
}

function Holders({ role }: { role: Role }) {
  const t = useT();
  const can = useCan();
  const ofRole = {
    pagination: { currentPage: 1, pageSize: SHOWN_HOLDERS },
    filters: [{ field: 'role_id', operator: 'eq', value: role.id }],
  } satisfies Pick<Parameters<typeof useList>[0] & object, 'pagination' | 'filters'>;
  const { query: people } = useList<User, ApiError>({
    resource: 'users',
    ...ofRole,
    sorters: [{ field: 'username', order: 'asc' }],
    errorNotification: false,
  });
  const { query: programs } = useList<ServiceAccount, ApiError>({
    resource: 'service-accounts',
    ...ofRole,
    queryOptions: { enabled: can('view_service_accounts') },
    errorNotification: false,
  });
  const error = people.error ?? programs.error;
  const refetch = () => Promise.all([people.refetch(), ...(can('view_service_accounts') ? [programs.refetch()] : [])]);
  const isHere = people.data !== undefined && (programs.data !== undefined || !can('view_service_accounts'));
  const data = isHere ? { people: people.data.data, total: people.data.total, programs: programs.data?.data ?? [] } : undefined;
  return (
    <Card title={t('roles.holders')}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('roles.holders')} /> : null}
      {!data && !error ? <Skeleton height={60} /> : null}
      {data && data.people.length + data.programs.length === 0 ? <p className={styles.muted}>{t('roles.nobody')}</p> : null}
      <ul className={styles.holders}>
        {data?.people.map((user) => (
          <Holder key={user.id} name={user.username} company={user.company_name} />
        ))}
        {data?.programs.map((program) => (
          <Holder key={program.id} name={program.name} company={program.company_name} isProgram />
        ))}
      </ul>
      {data && data.total > data.people.length ? (
        <Link to={`/users?role_id=${role.id}`}>{t('roles.allHolders', { count: data.total })}</Link>
      ) : null}
    </Card>
  );
}

function Holder({ name, company, isProgram = false }: { name: string; company: string; isProgram?: boolean }) {
  const t = useT();
  return (
    <li>
      <span>
        {name}
        {isProgram ? <span className={styles.muted}> · {t('entities.service_account')}</span> : null}
      </span>
      <span className={styles.muted}>{company}</span>
    </li>
  );
}
