import { useList } from '@refinedev/core';
import { useId, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Permission, Role } from '../../../schemas/_generated/contract.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { roleTitle } from '../../kernel/session/role-title.ts';
import { Card, EmptyState, ErrorState, Icon, PageHeader, Select, Skeleton, SmallTable, Switch } from '../../ui/index.ts';
import { categoryTitle, permissionTitle } from './role-words.ts';
import styles from './roles.module.css';
import { usePermissions, usePermissionsOfRoles } from './use-permissions.ts';

const MOST_ROLES = 4;
/** In place of a role where none is chosen. */
const NOBODY = 0;

/** The ids in the address: whole numbers, each once, no more than fit beside each other. */
export function readIds(text: string | null): number[] {
  const ids = (text ?? '').split(',').map(Number);
  return [...new Set(ids.filter((id) => Number.isSafeInteger(id) && id > 0))].slice(0, MOST_ROLES);
}

/** Up to four roles beside each other: which permissions each gives, and where they differ. The address says which. */
export default function CompareRolesPage() {
  const t = useT();
  const [params, setParams] = useSearchParams();
  const ids = readIds(params.get('id'));
  const { query } = useList<Role, ApiError>({
    resource: 'roles',
    pagination: { currentPage: 1, pageSize: 100 },
    sorters: [{ field: 'title', order: 'asc' }],
    errorNotification: false,
  });
  const permissions = usePermissions();
  const held = usePermissionsOfRoles(ids);
  const roles = query.data?.data;
  const error = query.error ?? permissions.error ?? held.error;
  const retry = () => void Promise.all([query.refetch(), permissions.refetch(), held.refetch()]);
  const chosen = ids.flatMap((id) => roles?.find((role) => role.id === id) ?? []);
  const choose = (place: number, id: number) => {
    const next = ids.toSpliced(place, 1, ...(id === NOBODY ? [] : [id]));
    setParams(next.length === 0 ? {} : { id: [...new Set(next)].join(',') }, { replace: true });
  };
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('roles.compare.title')}
        breadcrumb={[
          <Link key="above" to="/users/roles">
            {t('resources.roles.title')}
          </Link>,
        ]}
      />
      {error ? <ErrorState error={error} onRetry={retry} action={t('common.load')} item={t('resources.roles.title')} /> : null}
      {!error && !(roles && permissions.data) ? <Skeleton height={300} /> : null}
      {!error && roles && permissions.data ? (
        <>
          <div className={styles.choices}>
            {[...ids, ...(ids.length < MOST_ROLES ? [NOBODY] : [])].map((id, place) => (
              <Select
                key={id}
                aria-label={t('roles.compare.role', { number: place + 1 })}
                value={id}
                choices={[
                  { value: NOBODY, label: t(id === NOBODY ? 'roles.compare.add' : 'roles.compare.drop') },
                  ...roles
                    .filter((role) => role.id === id || !ids.includes(role.id))
                    .map((role) => ({ value: role.id, label: roleTitle(role) })),
                ]}
                onChange={(next) => choose(place, next)}
              />
            ))}
          </div>
          {chosen.length < 2 ? <EmptyState icon="shield-check" title={t('roles.compare.choose')} /> : null}
          {chosen.length > 1 && held.data === undefined ? <Skeleton height={300} /> : null}
          {chosen.length > 1 && held.data ? <Comparison roles={chosen} permissions={permissions.data} held={held.data} /> : null}
        </>
      ) : null}
    </div>
  );
}

interface ComparisonProps {
  roles: readonly Role[];
  permissions: readonly Permission[];
  /** The numbers of the permissions of each role. */
  held: ReadonlyMap<number, ReadonlySet<number>>;
}

function Comparison({ roles, permissions, held }: ComparisonProps) {
  const t = useT();
  const id = useId();
  const [isDifferent, setDifferent] = useState(true);
  const holders = ({ id: permission }: Permission) => roles.filter((role) => held.get(role.id)?.has(permission) === true).length;
  const differing = permissions.filter((permission) => ![0, roles.length].includes(holders(permission)));
  const shown = isDifferent ? differing : permissions;
  return (
    <Card
      title={t('roles.compare.differences', { count: differing.length })}
      extra={<Switch isOn={isDifferent} label={t('roles.compare.onlyDifferences')} onChange={setDifferent} />}
    >
      {shown.length === 0 ? <p className={styles.muted}>{t('roles.compare.same')}</p> : null}
      {[...Map.groupBy(shown, (permission) => permission.category)].map(([category, members], place) => (
        <section key={category} aria-labelledby={`${id}-${category}`} className={styles.category}>
          <h3 id={`${id}-${category}`} className={styles.sectionTitle}>
            {categoryTitle(category)}
          </h3>
          <SmallTable
            className={styles.comparison}
            label={categoryTitle(category)}
            hasRowNames
            hidesHead={place > 0}
            rows={members}
            keyOf={(permission) => permission.id}
            columns={[
              { key: 'permission', title: t('roles.compare.permission'), render: permissionTitle },
              ...roles.map((role) => ({
                key: String(role.id),
                title: roleTitle(role),
                render: (permission: Permission) => <Held isOn={held.get(role.id)?.has(permission.id) === true} />,
              })),
            ]}
          />
        </section>
      ))}
    </Card>
  );
}

function Held({ isOn }: { isOn: boolean }) {
  const t = useT();
  return (
    <span className={isOn ? styles.has : styles.lacks}>
      <Icon name={isOn ? 'check' : 'minus'} size={14} />
      <span className="visually-hidden">{t(isOn ? 'roles.permitted' : 'roles.notPermitted')}</span>
    </span>
  );
}
