import { sql, type Expression, type SqlBool } from 'kysely';
import type { CompanyNode } from '../../../schemas/_generated/contract.ts';
import type { DialectTools } from '../../db/dialect.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { isVisible, pathEnd } from '../../kernel/tenancy.ts';
import { DEEPEST_LEVEL } from './policy.ts';
import { hasName } from './repo.ts';
import { idsIn } from './subtree.ts';
import { programsCount } from './programs.ts';

/** Which nodes of the tree are asked for: those below a company, those whose name holds a text, one; the topmost without any of these. */
export interface TreeQuery {
  parent_id?: number | undefined;
  q?: string | undefined;
  id?: number | undefined;
  limit: number;
  offset: number;
}

type Counted = 'devices' | 'users';
const own = (counted: Counted) => sql<number>`(select ${sql.ref(counted)} from company_counts where company_id = companies.id)`;
// Nothing is below the last level.
const children = sql<number>`case when companies.level = ${sql.lit(DEEPEST_LEVEL)} then 0 else
  (select count(*) from companies as child where child.parent_id = companies.id and child.removed_at is null) end`;

/**
 * Devices and users of the companies with these paths, each with all below it. The row of all paths is cut where one of them begins or ends, and each
 * piece is added up once: a company and those above it, which a search answers together, share what is below them.
 */
async function countBelow(db: Db, paths: readonly string[]): Promise<Map<string, { devices: number; users: number }>> {
  if (paths.length === 0) return new Map();
  const cuts = [...new Set(paths.flatMap((path) => [path, pathEnd(path)]))].toSorted();
  const isInside = (start: string, path: string): boolean => start >= path && start < pathEnd(path);
  const sum = (counted: Counted) => sql`cast(coalesce(sum(${sql.ref(`counts.${counted}`)}), 0) as bigint) as ${sql.ref(counted)}`;
  // A query for each: grouped, their rows would be sorted.
  const pieces = cuts.flatMap((start, index) =>
    paths.some((path) => isInside(start, path))
      ? [
          sql`select cast(${start} as text) as start, ${sum('devices')}, ${sum('users')} from companies as below
            cross join company_counts as counts where below.path >= ${start} and below.path < ${cuts[index + 1]} and counts.company_id = below.id`,
        ]
      : [],
  );
  const programsInside = await db
    .selectFrom('service_accounts')
    .innerJoin('companies', 'companies.id', 'service_accounts.company_id')
    .select(['companies.path as start', sql<number>`count(*)`.as('programs')])
    .groupBy('companies.path')
    .execute();
  const { rows } = await sql<{ start: string; devices: number; users: number }>`${sql.join(pieces, sql` union all `)}`.execute(db);
  return new Map(
    paths.map((path) => {
      const inside = rows.filter(({ start }) => isInside(start, path));
      const total = (counted: Counted) => inside.reduce((all, row) => all + row[counted], 0);
      const notPeople = programsInside.filter(({ start }) => isInside(start, path)).reduce((all, row) => all + row.programs, 0);
      return [path, { devices: total('devices'), users: total('users') - notPeople }];
    }),
  );
}

/** Nodes with what is their own; of a company that is all the actor sees, nothing below it counts. */
function selectNodes(db: Db, actor: Actor) {
  const isAlone = actor.scope === 'company';
  return db
    .selectFrom('companies')
    .where(isVisible(actor, 'companies'))
    .select(['companies.id', 'companies.name', 'companies.level', 'companies.parent_id', 'companies.path'])
    .select([
      own('devices').as('devices_count'),
      sql<number>`${own('users')} - ${programsCount}`.as('users_count'),
      (isAlone ? sql<number>`0` : children).as('children_count'),
    ]);
}

/** The condition on the companies that were asked for; the company above the actor's own tells nothing. */
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

/** One page of nodes by name. What a search finds comes with all above it that the actor sees; `is_match` tells them apart. */
export async function listNodes(
  db: Db,
  tools: DialectTools,
  actor: Actor,
  query: TreeQuery,
): Promise<{ nodes: CompanyNode[]; total: number }> {
  const condition = conditionOf(tools, actor, query);
  const found = await selectNodes(db, actor)
    .where(condition)
    .orderBy('companies.name')
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
  const counts =
    actor.scope === 'company'
      ? undefined
      : await countBelow(
          db,
          rows.filter((row) => row.level < DEEPEST_LEVEL).map((row) => row.path),
        );
  const nodes = rows.map(({ path, parent_id, ...node }) => ({
    ...node,
    devices_below: counts?.get(path)?.devices ?? node.devices_count,
    users_below: counts?.get(path)?.users ?? node.users_count,
    parent_id: actor.scope !== 'all' && node.id === actor.companyId ? null : parent_id,
    is_match: ids.has(node.id),
  }));
  return { nodes, total };
}
