import { sql } from 'kysely';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { DialectTools } from '../../db/dialect.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { UserRow } from './present.ts';

const columns: ListColumns = {
  id: sql.ref('users.id'),
  sorts: {
    id: { by: sql.ref('users.id') },
    username: { by: sql.ref('users.username') },
    email: { by: sql.ref('users.email') },
    company_name: { by: sql.ref('companies.name') },
    last_login_at: { by: sql.ref('users.last_login_at'), isNullable: true },
    created_at: { by: sql.ref('users.created_at') },
  },
  filters: {
    role: (values) => isOneOf(sql.ref('roles.name'), values),
    role_id: (values) => isOneOf(sql.ref('users.role_id'), integers(values)),
    company_id: (values) => isOneOf(sql.ref('users.company_id'), integers(values)),
  },
  search: (text) => containsText([sql.ref('users.username'), sql.ref('users.email')], text),
};

function usersWithNames(db: Db, actor: Actor) {
  return db
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .innerJoin('companies', 'companies.id', 'users.company_id')
    .where(isVisible(actor, 'users'));
}

/** The users with these ids that the actor sees. */
export async function findUsers(db: Db, actor: Actor, ids: readonly number[]): Promise<UserRow[]> {
  if (ids.length === 0) return [];
  return usersWithNames(db, actor)
    .select(['users.id', 'users.username', 'users.email', 'users.first_name', 'users.last_name', 'users.company_id', 'users.role_id'])
    .select(['users.disabled_at', 'users.last_login_at', 'users.created_at', 'users.updated_at'])
    .select(['roles.name as role_name', 'roles.title as role_title'])
    .select(['companies.name as company_name', 'companies.level as company_level', 'companies.parent_id as company_parent_id'])
    .where('users.id', 'in', ids)
    .execute();
}

/** One page of the users that the actor sees. */
export async function listUsers(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: UserRow[]; total: number }> {
  const { rows, total } = await applyListQuery(usersWithNames(db, actor).select('users.id'), query, columns);
  const ids = rows.map((row) => row.id);
  return { rows: inOrderOf(ids, await findUsers(db, actor, ids)), total };
}

const ADMINISTRATORS_LOCK = 4_711_001;

/** How many enabled system administrators there are beside this user. Two who try to remove each other wait for one another. */
export async function countOtherAdministrators(trx: Trx, tools: DialectTools, userId: number): Promise<number> {
  // SQLite has one writer at a time anyway.
  if (tools.kind === 'postgres') await sql`select pg_advisory_xact_lock(${ADMINISTRATORS_LOCK})`.execute(trx);
  const { count } = await trx
    .selectFrom('users')
    .innerJoin('role_permissions', 'role_permissions.role_id', 'users.role_id')
    .where('role_permissions.permission', '=', 'super_admin')
    .where('users.disabled_at', 'is', null)
    .where('users.id', '<>', userId)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The user's full row, with the path of its company, when the actor sees it. */
export async function findVisibleUser(db: Db, actor: Actor, id: number): Promise<(Row<'users'> & { company_path: string }) | undefined> {
  return db
    .selectFrom('users')
    .innerJoin('companies', 'companies.id', 'users.company_id')
    .selectAll('users')
    .select('companies.path as company_path')
    .where('users.id', '=', id)
    .where(isVisible(actor, 'users'))
    .executeTakeFirst();
}

/** The id of the user with exactly this address, in lower case, when the actor sees it. */
export async function findVisibleUserId(db: Db, actor: Actor, email: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('users')
    .select('users.id')
    .where('users.email', '=', email)
    .where(isVisible(actor, 'users'))
    .executeTakeFirst();
  return row?.id;
}
