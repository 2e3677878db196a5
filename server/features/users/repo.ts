import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { DialectTools } from '../../db/dialect.ts';
import type { Actor } from '../../kernel/actor.ts';
import {
  allMatching,
  applyListQuery,
  byText,
  findsText,
  inOrderOf,
  integers,
  isOneOf,
  isRole,
  listConditions,
  searchHits,
  type ListColumns,
} from '../../kernel/apply-list-query.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible, isVisiblePerson } from '../../kernel/tenancy.ts';
import type { MembershipRow, UserRow } from './present.ts';

/** The condition "a person that the actor sees": programs have a list of their own. */
function visiblePeople(actor: Actor): Expression<SqlBool> {
  return sql<SqlBool>`${isVisible(actor, 'users')} and users.id not in (select user_id from service_accounts)`;
}

/** A condition on memberships of the user: one that the actor sees, in one of `companyIds` when the list is of certain companies. */
function hasMembership(actor: Actor, companyIds: readonly (string | number)[] | undefined, condition: Expression<SqlBool>) {
  const inCompany = companyIds === undefined ? sql`1 = 1` : isOneOf(sql.ref('memberships.company_id'), companyIds);
  return sql<SqlBool>`exists (select 1 from memberships inner join roles on roles.id = memberships.role_id
    where memberships.user_id = users.id and ${isVisible(actor, 'memberships')} and ${inCompany} and ${condition})`;
}

/** `id` is how a search asks for the user's number: `+users.id` keeps SQLite from beginning with what the search has found. */
function columnsFor(
  tools: DialectTools,
  actor: Actor,
  companyIds: readonly (string | number)[] | undefined,
  id: RawBuilder<number> = sql.ref('users.id'),
): ListColumns {
  const has = (condition: Expression<SqlBool>) => hasMembership(actor, companyIds, condition);
  const firstCompany = sql`(select min(companies.name) from memberships inner join companies on companies.id = memberships.company_id
    where memberships.user_id = users.id and ${isVisible(actor, 'memberships')})`;
  return {
    id: sql.ref('users.id'),
    sorts: {
      id: { by: sql.ref('users.id') },
      username: byText('users.username'),
      email: byText('users.email'),
      company_name: byText(firstCompany),
      last_login_at: { by: sql.ref('users.last_login_at'), isNullable: true },
      created_at: { by: sql.ref('users.created_at') },
    },
    filters: {
      role: (values) => has(isRole({ id: sql.ref('memberships.role_id'), name: sql.ref('roles.name') }, values)),
      role_id: (values) => has(isOneOf(sql.ref('memberships.role_id'), integers(values))),
      company_id: (values) => hasMembership(actor, undefined, isOneOf(sql.ref('memberships.company_id'), integers(values))),
      status: (values) => has(isOneOf(sql`case when memberships.disabled_at is null then 'enabled' else 'disabled' end`, values)),
    },
    search: (text) => findsText(tools, { index: 'user_search', id, columns: [sql.ref('users.username'), sql.ref('users.email')] }, text),
  };
}

function companyIdsOf(query: ListQuery): (string | number)[] | undefined {
  const filter = query.filters.find(({ key, isNegated }) => key === 'company_id' && !isNegated);
  return filter && integers(filter.values);
}

/** Memberships of these people that the actor sees, with names; each person's in the order of the companies' ids. */
async function findMemberships(db: Db, actor: Actor, userIds: readonly number[]): Promise<MembershipRow[]> {
  return db
    .selectFrom('memberships')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .innerJoin('companies', 'companies.id', 'memberships.company_id')
    .select(['memberships.user_id', 'memberships.company_id', 'memberships.role_id', 'memberships.disabled_at'])
    .select(['roles.name as role_name', 'roles.title as role_title'])
    .select(['companies.name as company_name', 'companies.level as company_level', 'companies.parent_id as company_parent_id'])
    .where('memberships.user_id', 'in', userIds)
    .where(isVisible(actor, 'memberships'))
    .orderBy('memberships.company_id')
    .execute();
}

/** The users with these ids that the actor sees; a membership in one of `companyIds` is first. */
export async function findUsers(
  db: Db,
  actor: Actor,
  ids: readonly number[],
  companyIds: readonly (string | number)[] = [],
): Promise<UserRow[]> {
  if (ids.length === 0) return [];
  const memberships = await findMemberships(db, actor, ids);
  const people = await db
    .selectFrom('users')
    .select(['users.id', 'users.username', 'users.email', 'users.first_name', 'users.last_name'])
    .select(['users.last_login_at', 'users.created_at', 'users.updated_at'])
    .where('users.id', 'in', ids)
    .where(visiblePeople(actor))
    .execute();
  return people.flatMap((person) => {
    const own = memberships.filter((membership) => membership.user_id === person.id);
    const first = own.find((membership) => companyIds.includes(membership.company_id)) ?? own[0];
    return first ? [{ ...person, ...first, memberships: own }] : [];
  });
}

const visibleInLists = (actor: Actor) => sql<SqlBool>`${isVisiblePerson(actor)} and users.id not in (select user_id from service_accounts)`;

/** How many people a search finds, from its index alone, and how many numbers were given to people; undefined where there is no such index. */
async function countFound(db: Db, tools: DialectTools, actor: Actor, query: ListQuery, columns: ListColumns) {
  const { q, ...others } = query;
  const hits = q === undefined ? undefined : searchHits(tools, 'user_search', q);
  if (!hits) return undefined;
  const conditions = [visibleInLists(actor), ...listConditions(others, columns)];
  const { rows } = await sql<{ found: number; people: number }>`with users (id) as ${hits}
    select count(*) as found, (select max(rowid) from main.users) as people from users where ${sql.join(conditions, sql` and `)}`.execute(
    db,
  );
  return rows[0];
}

/** One page of the users that the actor sees. */
export async function listUsers(db: Db, tools: DialectTools, actor: Actor, query: ListQuery): Promise<{ rows: UserRow[]; total: number }> {
  const companyIds = companyIdsOf(query);
  const columns = columnsFor(tools, actor, companyIds);
  const counted = await countFound(db, tools, actor, query, columns);
  // Whether the page is full after fewer steps along the index of names than there are people to read and sort.
  const isWalk =
    counted !== undefined && query.sort[0]?.key === 'username' && (query.offset + query.limit) * counted.people < counted.found ** 2;
  const base = db
    .selectFrom('users')
    .where(visibleInLists(actor))
    .select('users.id')
    .$if(query.q !== undefined && !counted, (search) => search.select(allMatching));
  const { rows, total } = await applyListQuery(
    base,
    query,
    isWalk ? columnsFor(tools, actor, companyIds, sql`+users.id`) : columns,
    counted && (async () => counted.found),
  );
  const ids = rows.map((row) => row.id);
  return { rows: inOrderOf(ids, await findUsers(db, actor, ids, companyIds)), total };
}

const ADMINISTRATORS_LOCK = 4_711_001;

/** How many enabled system administrators there are beside this user. Two who try to remove each other wait for one another. */
export async function countOtherAdministrators(trx: Trx, tools: DialectTools, userId: number): Promise<number> {
  // SQLite has one writer at a time anyway.
  if (tools.kind === 'postgres') await sql`select pg_advisory_xact_lock(${ADMINISTRATORS_LOCK})`.execute(trx);
  const { count } = await trx
    .selectFrom('memberships')
    .innerJoin('role_permissions', 'role_permissions.role_id', 'memberships.role_id')
    .where('role_permissions.permission', '=', 'super_admin')
    .where('memberships.disabled_at', 'is', null)
    .where('memberships.user_id', '<>', userId)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** A person in a company: the account's row, what it has there, and the company's path. */
export type Member = Row<'users'> & { member: Row<'memberships'>; company_path: string };

/** The memberships of a person that the actor sees: all of them, or the one in `companyId`. */
export async function findVisibleMembers(db: Db, actor: Actor, id: number, companyId?: number): Promise<Member[]> {
  const user = await db.selectFrom('users').selectAll().where('id', '=', id).where(visiblePeople(actor)).executeTakeFirst();
  if (!user) return [];
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('companies', 'companies.id', 'memberships.company_id')
    .selectAll('memberships')
    .select('companies.path')
    .where('memberships.user_id', '=', id)
    .where(isVisible(actor, 'memberships'))
    .$if(companyId !== undefined, (query) => query.where('memberships.company_id', '=', companyId ?? 0))
    .orderBy('memberships.company_id')
    .execute();
  return rows.map(({ path, ...member }) => ({ ...user, member, company_path: path }));
}

/** In how many companies a person is, whatever the caller sees. */
export async function countMemberships(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('memberships')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

/** The id of the user with exactly this address, in lower case, when the actor sees it. */
export async function findVisibleUserId(db: Db, actor: Actor, email: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('users')
    .select('users.id')
    .where('users.email', '=', email)
    .where(visiblePeople(actor))
    .executeTakeFirst();
  return row?.id;
}
