import { useCustom } from '@refinedev/core';
import { Link, useParams } from 'react-router';
import type { UserAccess } from '../../../schemas/_generated/contract.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Banner, Card, EmptyState, ErrorState, PageError, PageHeader, Skeleton } from '../../ui/index.ts';
import { PermissionMatrix } from './PermissionMatrix.tsx';
import { roleTitle } from '../../kernel/session/role-title.ts';
import styles from './roles.module.css';
import { usePermissions } from './use-permissions.ts';

type AccessRow = UserAccess['places'][number];

/** What one person can see and do, company by company, and the role that each right comes from. */
export default function UserAccessPage() {
  const t = useT();
  const id = Number(useParams()['id']);
  const { query } = useCustom<UserAccess, ApiError>({ url: `/users/${id}/access`, method: 'get', errorNotification: false });
  const { error, refetch } = query;
  const data = query.data?.data;
  if (error) return <PageError error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('entities.user')} />;
  if (!data) return <Skeleton width={260} height={28} />;
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('roles.access.title', { name: data.username })}
        subtitle={data.email}
        breadcrumb={[
          <Link key="above" to="/users">
            {t('resources.users.title')}
          </Link>,
        ]}
      />
      {data.places.length === 0 ? <EmptyState icon="lock" title={t('roles.access.nothing')} /> : null}
      {data.places.map((place) => (
        <PlaceCard key={place.company_id} place={place} />
      ))}
    </div>
  );
}

function PlaceCard({ place }: { place: AccessRow }) {
  const t = useT();
  const can = useCan();
  const role = roleTitle({ name: place.role_name, title: place.role_title });
  const top = Math.min(...place.companies.map(({ level }) => level));
  return (
    <Card title={place.company_name}>
      {place.is_disabled ? <Banner kind="warn">{t('roles.access.disabled')}</Banner> : null}
      <p className={styles.because}>
        {t('roles.access.because', { company: place.company_name })}{' '}
        {can('view_roles') ? <Link to={`/users/roles/${place.role_id}`}>{role}</Link> : <strong>{role}</strong>}
        <span className={styles.muted}> · {place.role_company_name ?? t('roles.builtIn')}</span>
      </p>
      <div className={styles.grid}>
        <Permissions place={place} role={role} />
        <section>
          <h3 className={styles.sectionTitle}>{t('roles.access.companies', { count: place.companies_count })}</h3>
          <p className={styles.muted}>{t(`roles.access.scope.${place.scope}`, { role })}</p>
          <ul className={styles.reach}>
            {place.companies.map((company) => (
              <li key={company.id} style={{ paddingInlineStart: (company.level - top) * 16 }}>
                {can('view_companies') ? <Link to={`/companies/${company.id}`}>{company.name}</Link> : company.name}
              </li>
            ))}
          </ul>
          {place.companies_count > place.companies.length ? (
            <p className={styles.muted}>{t('users.more', { count: place.companies_count - place.companies.length })}</p>
          ) : null}
        </section>
      </div>
    </Card>
  );
}

function Permissions({ place, role }: { place: AccessRow; role: string }) {
  const t = useT();
  const can = useCan();
  if (!can('view_permissions') || place.permissions === null) return <p className={styles.muted}>{t('roles.access.permissionsHidden')}</p>;
  return <PermissionList held={place.permissions} role={role} />;
}

function PermissionList({ held, role }: { held: readonly string[]; role: string }) {
  const t = useT();
  const { data, error, refetch } = usePermissions();
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('fields.permissions')} />;
  if (!data) return <Skeleton height={300} />;
  return (
    <section>
      <h3 className={styles.sectionTitle}>{t('roles.access.permissions', { count: held.length, role })}</h3>
      <PermissionMatrix permissions={data} held={new Set(held)} />
    </section>
  );
}
