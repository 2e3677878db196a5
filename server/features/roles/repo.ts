import { sql, type RawBuilder } from 'kysely';
import { permissionNames, type PermissionName, type Role } from '../../../schemas/_generated/contract.ts';
import type { RoleEntry } from '../../../schemas/kit/form/types.ts';
import permissionsFile from '../../../schemas/permissions.json' with { type: 'json' };
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { can } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { outranks, reaches } from '../../kernel/auth/role-rights.ts';
import { isVisible } from '../../kernel/tenancy.ts';

/** What the built-in roles give. */
const builtInRoles = (permissionsFile.roles as RoleEntry[]).map(({ key, scope }) => ({
  key,
  scope,
  permissions: permissionNames.filter((name) =>
    permissionsFile.permissions.some((entry) => entry.name === name && entry.roles.includes(key)),
  ),
}));

type RoleRow = Row<'roles'> & { company_name: string | null; permissions_count: number };

const permissionsCount = sql<number>`(select count(*) from role_permissions where role_permissions.role_id = roles.id)`;

/** In SQL what `outranks` is for one role. */
function isOutranked(actor: Actor): RawBuilder<boolean> {
  const scopes = (['company', 'tree', 'all'] as const).filter((scope) => reaches(actor, scope));
  const missing = permissionNames.filter((name) => !can(actor, name));
  const asksTooMuch = sql`exists (select 1 from role_permissions as given where given.role_id = roles.id
    and ${isOneOf(sql.ref('given.permission'), missing)})`;
  return sql<boolean>`(${isOneOf(sql.ref('roles.scope'), scopes)} and not ${asksTooMuch})`;
}

const columnsFor = (actor: Actor): ListColumns => ({
  id: sql.ref('roles.id'),
  sorts: {
    id: { by: sql.ref('roles.id') },
    title: byText('roles.title'),
    company_name: { ...byText('companies.name'), isNullable: true },
    updated_at: { by: sql.ref('roles.updated_at') },
  },
  filters: {
    // Roles that users of this company can have: the built-in ones, its own, and those of the companies above it.
    company_id: (values) =>
      sql`(roles.company_id is null or exists (select 1 from companies as below where ${isOneOf(sql.ref('below.id'), integers(values))}
        ${actor.scope === 'company' ? sql`and below.id = ${actor.companyId}` : sql``}
        and substr(below.path, 1, length(companies.path)) = companies.path))`,
    type: (values) => isOneOf(sql`case when roles.company_id is null then 'default' else 'custom' end`, values),
    // Roles that the actor may give to people: no wider, and with no permission that the actor lacks.
    assignable: (values) =>
      isOneOf(
        sql`case when ${isOutranked(actor)} then 1 else 0 end`,
        values.map((value) => (value === '1' || value === 'true' ? 1 : 0)),
      ),
  },
  search: (text) => containsText([sql.ref('roles.title')], text),
});

/** Built-in roles, and the own ones of companies that the actor sees. System administrator shows only to those who are. */
function visibleRoles(db: Db, actor: Actor) {
  const query = db
    .selectFrom('roles')
    .leftJoin('companies', 'companies.id', 'roles.company_id')
    .where((eb) => eb.or([eb('roles.company_id', 'is', null), isVisible(actor, 'companies')]));
  return can(actor, 'super_admin') ? query : query.where('roles.name', '<>', 'super_admin');
}

function presentRole(row: RoleRow, usersCount: number, canInvite: string[]): Role {
  return {
    id: row.id,
    title: row.title,
    name: row.name,
    company_id: row.company_id,
    company_name: row.company_name,
    description: row.description,
    scope: row.scope,
    start_page: row.start_page,
    is_default: row.company_id === null,
    permissions_count: row.permissions_count,
    users_count: usersCount,
    can_invite_roles: canInvite,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

/** How many people hold each of these roles, of those that the actor sees. */
async function countHolders(db: Db, actor: Actor, roleIds: readonly number[]): Promise<Map<number, number>> {
  if (roleIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('memberships')
    .select(['role_id', sql<number>`count(*)`.as('count')])
    .where('role_id', 'in', roleIds)
    .where(isVisible(actor, 'memberships'))
    .groupBy('role_id')
    .execute();
  return new Map(rows.map((row) => [row.role_id, row.count]));
}

async function presentRoles(db: Db, actor: Actor, rows: readonly RoleRow[]): Promise<Role[]> {
  const counts = await countHolders(
    db,
    actor,
    rows.map((row) => row.id),
  );
  const rights = await findRightsOf(
    db,
    rows.map((row) => row.id),
  );
  return rows.map((row) =>
    presentRole(row, counts.get(row.id) ?? 0, invitedBy({ scope: row.scope, permissions: rights.get(row.id) ?? new Set() })),
  );
}

/** What each of these roles gives. */
async function findRightsOf(db: Db, roleIds: readonly number[]): Promise<Map<number, Set<PermissionName>>> {
  if (roleIds.length === 0) return new Map();
  const rows = await db.selectFrom('role_permissions').select(['role_id', 'permission']).where('role_id', 'in', roleIds).execute();
  const known = new Set<string>(permissionNames);
  const held = Map.groupBy(
    rows.filter((row) => known.has(row.permission)),
    (row) => row.role_id,
  );
  return new Map([...held].map(([id, members]) => [id, new Set(members.map(({ permission }) => permission as PermissionName))]));
}

/** The built-in roles that holders of a role may give to people whom they invite; nobody is invited as system administrator. */
function invitedBy(holder: Pick<Actor, 'permissions' | 'scope'>): string[] {
  if (!can(holder, 'create_users')) return [];
  return builtInRoles.filter((role) => role.key !== 'super_admin' && outranks(holder, role)).map((role) => role.key);
}

/** One page of the roles that the actor sees. */
export async function listRoles(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: Role[]; total: number }> {
  const base = visibleRoles(db, actor)
    .selectAll('roles')
    .select(['companies.name as company_name', permissionsCount.as('permissions_count')]);
  const { rows, total } = await applyListQuery(base, query, columnsFor(actor));
  return { rows: await presentRoles(db, actor, rows), total };
}

/** One role that the actor sees. */
export async function findRole(db: Db, actor: Actor, id: number): Promise<Role | undefined> {
  const rows = await visibleRoles(db, actor)
    .selectAll('roles')
    .select(['companies.name as company_name', permissionsCount.as('permissions_count')])
    .where('roles.id', '=', id)
    .execute();
  return (await presentRoles(db, actor, rows))[0];
}

/** A role's own row, when the actor sees it. */
export async function findRoleRow(db: Db, actor: Actor, id: number): Promise<Row<'roles'> | undefined> {
  return visibleRoles(db, actor).selectAll('roles').where('roles.id', '=', id).executeTakeFirst();
}

/** The permissions of a role, in the order of schemas/permissions.json. */
export async function findRolePermissions(db: Db, roleId: number): Promise<PermissionName[]> {
  const rows = await db.selectFrom('role_permissions').select('permission').where('role_id', '=', roleId).execute();
  const held = new Set(rows.map((row) => row.permission));
  return permissionNames.filter((name) => held.has(name));
}

/** Makes these the permissions of a role, and no others. */
export async function writePermissions(trx: Trx, roleId: number, permissions: readonly PermissionName[]): Promise<void> {
  await trx.deleteFrom('role_permissions').where('role_id', '=', roleId).execute();
  if (permissions.length === 0) return;
  await trx
    .insertInto('role_permissions')
    .values(permissions.map((permission) => ({ role_id: roleId, permission })))
    .execute();
}

/** Everybody who holds a role. */
export async function findHolderIds(db: Db, roleId: number): Promise<number[]> {
  const rows = await db.selectFrom('memberships').select('user_id').distinct().where('role_id', '=', roleId).execute();
  return rows.map((row) => row.user_id);
}

/** The names of some who hold a role, of those that the actor sees. */
export async function findHolderNames(db: Db, actor: Actor, roleId: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('users.username')
    .distinct()
    .where('memberships.role_id', '=', roleId)
    .where(isVisible(actor, 'memberships'))
    .orderBy('username')
    .limit(limit)
    .execute();
  return rows.map((row) => row.username);
}
