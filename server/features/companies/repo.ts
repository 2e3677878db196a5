import { sql } from 'kysely';
import type { DialectTools } from '../../db/dialect.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, byText, findsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { CompanyRow } from './present.ts';

/** How many of a company's memberships are those of programs (service accounts), which are no people and belong to no other company. */
const programsCount = sql<number>`(select count(*) from service_accounts where service_accounts.company_id = companies.id)`;

// Two counts, because they need no join.
export const usersCount = sql<number>`((select count(*) from memberships where memberships.company_id = companies.id) - ${programsCount})`;
export const devicesCount = sql<number>`(select count(*) from devices where devices.company_id = companies.id)`;

/** The condition "its name contains the text". */
export function hasName(tools: DialectTools, text: string) {
  return findsText(tools, { index: 'company_search', id: sql.ref('companies.id'), columns: [sql.ref('companies.name')] }, text);
}

/** What programs that were made for the public API call sort keys of companies, its misspelling with them. */
export const API_SORTS = ['company_name', 'device_count', 'crated_at'] as const;

const columnsFor = (tools: DialectTools): ListColumns => ({
  id: sql.ref('companies.id'),
  sorts: {
    name: byText('companies.name'),
    company_name: byText('companies.name'),
    level: { by: sql.ref('companies.level') },
    parent_name: { ...byText('parent.name'), isNullable: true },
    parent_id: { by: sql.ref('parent.id'), isNullable: true },
    devices_count: { by: devicesCount },
    device_count: { by: devicesCount },
    users_count: { by: usersCount },
    created_at: { by: sql.ref('companies.created_at') },
    crated_at: { by: sql.ref('companies.created_at') },
  },
  filters: {
    parent_id: (values) => isOneOf(sql.ref('parent.id'), integers(values)),
    level: (values) => isOneOf(sql.ref('companies.level'), values.map(Number)),
  },
  search: (text) => hasName(tools, text),
});

/** The companies with these ids, with counts and the two companies above each. */
export async function findCompanies(db: Db, ids: readonly number[]): Promise<CompanyRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('companies')
    .leftJoin('companies as parent', 'parent.id', 'companies.parent_id')
    .leftJoin('companies as grandparent', 'grandparent.id', 'parent.parent_id')
    .selectAll('companies')
    .select([
      'parent.name as parent_name',
      'grandparent.id as grandparent_id',
      'grandparent.name as grandparent_name',
      usersCount.as('users_count'),
      devicesCount.as('devices_count'),
    ])
    .where('companies.id', 'in', ids)
    .execute();
}

/** One page of the companies that the actor sees. */
export async function listCompanies(
  db: Db,
  tools: DialectTools,
  actor: Actor,
  query: ListQuery,
): Promise<{ rows: CompanyRow[]; total: number }> {
  // The company above the actor's own is joined to nothing: neither its name nor its number can be sorted or filtered by.
  const base = db
    .selectFrom('companies')
    .leftJoin('companies as parent', (join) =>
      actor.scope === 'all'
        ? join.onRef('parent.id', '=', 'companies.parent_id')
        : join.onRef('parent.id', '=', 'companies.parent_id').on('companies.id', '<>', actor.companyId),
    )
    .where(isVisible(actor, 'companies'))
    .select('companies.id');
  const { rows, total } = await applyListQuery(base, query, columnsFor(tools));
  const ids = rows.map((row) => row.id);
  return { rows: inOrderOf(ids, await findCompanies(db, ids)), total };
}
