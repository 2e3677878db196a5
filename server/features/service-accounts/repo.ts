import { sql } from 'kysely';
import type { CompanyToken, ServiceAccount } from '../../../schemas/_generated/contract.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { tokenScopes } from '../../kernel/auth/access-tokens.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';

const accountColumns: ListColumns = {
  id: sql.ref('users.id'),
  sorts: {
    id: { by: sql.ref('users.id') },
    name: byText('users.username'),
    company_name: byText('companies.name'),
    created_at: { by: sql.ref('users.created_at') },
  },
  filters: {
    company_id: (values) => isOneOf(sql.ref('service_accounts.company_id'), integers(values)),
    role_id: (values) => isOneOf(sql.ref('memberships.role_id'), integers(values)),
  },
  search: (text) => containsText([sql.ref('users.username'), sql.ref('service_accounts.description')], text),
};

function visibleAccounts(db: Db, actor: Actor, now: number) {
  return db
    .selectFrom('service_accounts')
    .innerJoin('users', 'users.id', 'service_accounts.user_id')
    .innerJoin('memberships', 'memberships.user_id', 'service_accounts.user_id')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .innerJoin('companies', 'companies.id', 'service_accounts.company_id')
    .select(['users.id', 'users.username', 'users.created_at', 'service_accounts.description', 'service_accounts.company_id'])
    .select(['companies.name as company_name', 'companies.path', 'memberships.role_id', 'memberships.disabled_at'])
    .select(['roles.name as role_name', 'roles.title as role_title'])
    .select([
      sql<number>`(select count(*) from access_tokens where user_id = users.id and expires_at > ${now})`.as('tokens_count'),
      sql<number | null>`(select max(last_used_at) from access_tokens where user_id = users.id)`.as('last_used_at'),
    ])
    .where(isVisible(actor, 'service_accounts'));
}
/** A service account with the path of its company. */
export type AccountRow = Awaited<ReturnType<ReturnType<typeof visibleAccounts>['executeTakeFirstOrThrow']>>;

function presentAccount({ username, path: _path, disabled_at, ...row }: AccountRow): ServiceAccount {
  return {
    ...row,
    name: username,
    is_disabled: disabled_at !== null,
    last_used_at: wireTime(row.last_used_at),
    created_at: wireTime(row.created_at),
  };
}

/** One page of the service accounts that the actor sees. `now`: unix milliseconds. */
export async function listAccounts(
  db: Db,
  actor: Actor,
  query: ListQuery,
  now: number,
): Promise<{ rows: ServiceAccount[]; total: number }> {
  const { rows, total } = await applyListQuery(visibleAccounts(db, actor, now), query, accountColumns);
  return { rows: rows.map(presentAccount), total };
}

/** One service account that the actor sees, as its row and for the wire. */
export async function findAccount(
  db: Db,
  actor: Actor,
  id: number,
  now: number,
): Promise<{ row: AccountRow; shown: ServiceAccount } | undefined> {
  const row = await visibleAccounts(db, actor, now).where('users.id', '=', id).executeTakeFirst();
  return row && { row, shown: presentAccount(row) };
}

const kindOf = sql<
  'person' | 'service'
>`case when exists (select 1 from service_accounts where service_accounts.user_id = users.id) then 'service' else 'person' end`;

const tokenColumns = (now: number): ListColumns => ({
  id: sql.ref('access_tokens.id'),
  sorts: {
    id: { by: sql.ref('access_tokens.id') },
    name: byText('access_tokens.name'),
    user_name: byText('users.username'),
    company_name: byText('companies.name'),
    expires_at: { by: sql.ref('access_tokens.expires_at') },
    last_used_at: { by: sql.ref('access_tokens.last_used_at'), isNullable: true },
    created_at: { by: sql.ref('access_tokens.created_at') },
  },
  filters: {
    company_id: (values) => isOneOf(sql.ref('access_tokens.company_id'), integers(values)),
    user_id: (values) => isOneOf(sql.ref('access_tokens.user_id'), integers(values)),
    kind: (values) => isOneOf(kindOf, values),
    state: (values) => isOneOf(sql`case when access_tokens.expires_at > ${now} then 'active' else 'expired' end`, values),
  },
  search: (text) => containsText([sql.ref('access_tokens.name'), sql.ref('users.username'), sql.ref('access_tokens.token_hint')], text),
});

/** One page of the access tokens of people and programs, for companies that the actor sees. `now`: unix milliseconds. */
export async function listTokens(db: Db, actor: Actor, query: ListQuery, now: number): Promise<{ rows: CompanyToken[]; total: number }> {
  const base = db
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .innerJoin('companies', 'companies.id', 'access_tokens.company_id')
    .select(['access_tokens.id', 'access_tokens.name', 'access_tokens.token_hint', 'access_tokens.scopes', 'access_tokens.expires_at'])
    .select(['access_tokens.last_used_at', 'access_tokens.last_used_ip', 'access_tokens.created_at'])
    .select(['access_tokens.user_id', 'users.username as user_name', 'access_tokens.company_id', 'companies.name as company_name'])
    .select(kindOf.as('kind'))
    .where(isVisible(actor, 'access_tokens'));
  const { rows, total } = await applyListQuery(base, query, tokenColumns(now));
  return {
    rows: rows.map((row) => ({
      ...row,
      state: row.expires_at > now ? 'active' : 'expired',
      scopes: tokenScopes(row),
      expires_at: wireTime(row.expires_at),
      last_used_at: wireTime(row.last_used_at),
      created_at: wireTime(row.created_at),
    })),
    total,
  };
}
