import { sql, type Expression, type SqlBool } from 'kysely';
import type { CompanyNode } from '../../../schemas/_generated/contract.ts';
import type { DialectTools } from '../../db/dialect.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { DEEPEST_LEVEL } from './policy.ts';
import { devicesCount, hasName, usersCount } from './repo.ts';
import { idsIn } from './subtree.ts';
import { textKey } from '../../kernel/apply-list-query.ts';

/** Which nodes of the tree are asked for: those below a company, those whose name holds a text, one; the topmost without any of these. */
export interface TreeQuery {
  parent_id?: number | undefined;
  q?: string | undefined;
  id?: number | undefined;
  limit: number;
  offset: number;
}

// Nothing is below the last level.
const children = sql<number>`case when companies.level = ${sql.lit(DEEPEST_LEVEL)} then 0 else
  (select count(*) from companies as child where child.parent_id = companies.id and child.removed_at is null) end`;

/** How many rows of a table the companies with these ids have, each with all below it, by id. */
async function countBelow(
  db: Db,
  ids: readonly number[],
  table: 'devices' | 'memberships' | 'service_accounts',
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; total: number }>`select top.id, count(*) as total from companies as top
    inner join companies as below on below.path >= top.path and below.path < substr(top.path, 1, length(top.path) - 1) || '0'
    inner join ${sql.table(table)} as item on item.company_id = below.id
    where top.id in (${sql.join(ids)}) group by top.id`.execute(db);
  return new Map(rows.map((row) => [row.id, row.total]));
}

async function countUsersBelow(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  const [members, programs] = await Promise.all([countBelow(db, ids, 'memberships'), countBelow(db, ids, 'service_accounts')]);
  return new Map(ids.map((id) => [id, (members.get(id) ?? 0) - (programs.get(id) ?? 0)]));
}

/** Nodes with what is their own; of a company that is all the actor sees, nothing below it counts. */
function selectNodes(db: Db, actor: Actor) {
  const isAlone = actor.scope === 'company';
  return db
    .selectFrom('companies')
    .where(isVisible(actor, 'companies'))
    .select(['companies.id', 'companies.name', 'companies.level', 'companies.parent_id', 'companies.path'])
    .select([devicesCount.as('devices_count'), usersCount.as('users_count'), (isAlone ? sql<number>`0` : children).as('children_count')]);
}

/** The condition on the companies that were asked for; the company above the actor's own gives nothing away. */
function conditionOf(tools: DialectTools, actor: Actor, query: TreeQuery) {
  if (query.id !== undefined) return sql<boolean>`companies.id = ${query.id}`;
  if (query.q) return hasName(tools, query.q);
  if (query.parent_id !== undefined) {
    const inside = actor.scope === 'all' ? sql`` : sql` and companies.id <> ${actor.companyId}`;
    return sql<boolean>`companies.parent_id = ${query.parent_id} and companies.removed_at is null${inside}`;
  }
  return actor.scope === 'all' ? sql<boolean>`companies.parent_id is null` : sql<boolean>`companies.id = ${actor.companyId}`;
}

async function countNodes(db: Db, actor: Actor, condition: Expression<SqlBool>): Promise<number> {
  const { total } = await db
    .selectFrom('companies')
    .where(isVisible(actor, 'companies'))
    .where(condition)
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** One page of nodes by name. What a search finds comes with all above it that the actor sees; `is_match` distinguishes them. */
export async function listNodes(
  db: Db,
  tools: DialectTools,
  actor: Actor,
  query: TreeQuery,
): Promise<{ nodes: CompanyNode[]; total: number }> {
  const condition = conditionOf(tools, actor, query);
  const found = await selectNodes(db, actor)
    .where(condition)
    .orderBy(textKey(sql.ref('companies.name')))
    .orderBy('companies.id')
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  const isWhole = query.offset === 0 && found.length < query.limit;
  const total = isWhole ? found.length : await countNodes(db, actor, condition);
  const ids = new Set(found.map((row) => row.id));
  const above = query.q ? [...new Set(found.flatMap((row) => idsIn(row.path)))].filter((id) => !ids.has(id)) : [];
  const parents = above.length > 0 ? await selectNodes(db, actor).where('companies.id', 'in', above).execute() : [];
  const rows = [...found, ...parents];
  const withMore = actor.scope === 'company' ? [] : rows.filter((row) => row.level < DEEPEST_LEVEL).map((row) => row.id);
  const devices = await countBelow(db, withMore, 'devices');
  const users = await countUsersBelow(db, withMore);
  const nodes = rows.map(({ path: _path, parent_id, ...node }) => ({
    ...node,
    devices_below: devices.get(node.id) ?? node.devices_count,
    users_below: users.get(node.id) ?? node.users_count,
    parent_id: actor.scope !== 'all' && node.id === actor.companyId ? null : parent_id,
    is_match: ids.has(node.id),
  }));
  return { nodes, total };
}
