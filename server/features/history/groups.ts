import { sql, type Expression, type JoinBuilder, type SqlBool } from 'kysely';
import type { Change } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Tables } from '../../db/schema.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { inOrderOf, integers, isOneOf, listConditions, type ListColumns } from '../../kernel/apply-list-query.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { Undo } from '../../kernel/undo.ts';
import { addLabels } from './labels.ts';
import { presentEntry } from './present.ts';
import { hasInName, visibleHistory } from './repo.ts';
import { visibleEntries } from '../../kernel/visible-entries.ts';

/*
 * A change is what one call did in one way: the rows of the history that have its request, action and kind of record. It is named by the first of
 * its rows that the reader asks for.
 */

/** Members of the kept records that say where something was before and is after, by action. */
const PLACES: Readonly<Record<string, string>> = { 'devices.move': 'company_id', 'companies.move': 'parent_id' };
const MAX_NAMES = 3;

const visibleUserId = (actor: Actor) =>
  sql<number | null>`(select users.id from users where users.id = audit.actor_id and ${isVisible(actor, 'users')})`;

const columnsFor = (actor: Actor): ListColumns => ({
  id: sql.ref('audit.id'),
  search: hasInName,
  sorts: {},
  filters: {
    entity: (values) => isOneOf(sql.ref('audit.entity'), values),
    entity_id: (values) => isOneOf(sql.ref('audit.entity_id'), integers(values)),
    company_id: (values) => isOneOf(sql.ref('audit.company_id'), integers(values)),
    user_id: (values) => isOneOf(visibleUserId(actor), integers(values)),
  },
});

/** Rows that are asked for, as conditions on `audit` that may be used in a subquery. */
function asked(actor: Actor, query: ListQuery): Expression<SqlBool> {
  return sql<SqlBool>`${sql.join([visibleEntries(actor), ...listConditions({ ...query, ids: undefined }, columnsFor(actor))], sql` and `)}`;
}

const isSameCallAsFirst = (join: JoinBuilder<Tables & { first: Tables['audit'] }, 'audit' | 'first'>) =>
  join
    .onRef('audit.request_id', '=', 'first.request_id')
    .onRef('audit.action', '=', 'first.action')
    .onRef('audit.entity', '=', 'first.entity');

/** The first rows of the changes that are asked for. Rows without a request, such as the server's own, are changes of their own. */
function firstRows(db: Db, actor: Actor, query: ListQuery) {
  const condition = asked(actor, query);
  const first = db
    .selectFrom('audit as first')
    .innerJoin('audit', 'audit.id', 'first.id')
    .where(condition)
    .where(
      sql<SqlBool>`(first.request_id = '' or not exists (select 1 from audit where audit.request_id = first.request_id
        and audit.action = first.action and audit.entity = first.entity and audit.id < first.id and ${condition}))`,
    );
  return query.ids ? first.where('first.id', 'in', query.ids) : first;
}

/** What is counted over the rows of the changes that begin with these ones. */
async function sumUp(ctx: Context, actor: Actor, query: ListQuery, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const { reads: db, database } = ctx;
  const place = (column: string) => {
    const [first, ...others] = Object.entries(PLACES).map(
      ([action, member]) => sql`when audit.action = ${action} then ${database.tools.jsonNumber(sql.ref(column), member)}`,
    );
    return sql<number | null>`case ${first} ${sql.join(others, sql` `)} end`;
  };
  const same = <T>(value: Expression<T>) =>
    sql<T | null>`case when min(${value}) = max(${value}) and count(${value}) = count(*) then min(${value}) end`;
  return db
    .selectFrom('audit as first')
    .innerJoin('audit', isSameCallAsFirst)
    .leftJoin('audit as undoing', 'undoing.undoes', 'audit.id')
    .where('first.id', 'in', ids)
    .where(asked(actor, query))
    .where(sql<SqlBool>`(first.request_id <> '' or audit.id = first.id)`)
    .groupBy('first.id')
    .select('first.id')
    .select([
      sql<number>`count(*)`.as('count'),
      sql<number>`count(undoing.id)`.as('undone_count'),
      sql<number>`count(*) filter (where undoing.id is null and audit.undoes is null and audit.before is not null)`.as('undoable'),
      same(sql.ref<number>('audit.company_id')).as('company_id'),
      same(place('audit.before')).as('from_id'),
      same(place('audit.after')).as('to_id'),
    ])
    .execute();
}

/** The first names of each of these changes. */
async function findNames(db: Db, actor: Actor, query: ListQuery, ids: readonly number[]): Promise<Map<number, string[]>> {
  if (ids.length === 0) return new Map();
  const numbered = db
    .selectFrom('audit as first')
    .innerJoin('audit', isSameCallAsFirst)
    .where('first.id', 'in', ids)
    .where(asked(actor, query))
    .select(['first.id', 'audit.entity_name', sql<number>`row_number() over (partition by first.id order by audit.id)`.as('place')]);
  const rows = await db.selectFrom(numbered.as('numbered')).selectAll().where('place', '<=', MAX_NAMES).orderBy('place').execute();
  return new Map([...Map.groupBy(rows, (row) => row.id)].map(([id, group]) => [id, group.map((row) => row.entity_name)]));
}

/** The names of companies that the actor sees and may read. */
async function companyNames(db: Db, actor: Actor, ids: readonly (number | null)[]): Promise<Map<number, string>> {
  const known = [...new Set(ids.filter((id) => id !== null))];
  if (known.length === 0 || !can(actor, 'view_companies')) return new Map();
  const rows = await db
    .selectFrom('companies')
    .select(['id', 'name'])
    .where('id', 'in', known)
    .where(isVisible(actor, 'companies'))
    .execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

function viaOf(row: Pick<Row<'audit'>, 'actor_id' | 'token_name'>): Change['via'] {
  if (row.actor_id === null) return 'system';
  return row.token_name === null ? 'console' : 'token';
}

/** One page of the changes in the companies that the actor sees, newest first. */
export async function listChanges(
  ctx: Context,
  undos: ReadonlyMap<string, Undo>,
  actor: Actor,
  query: ListQuery,
): Promise<{ rows: Change[]; total: number }> {
  const db = ctx.reads;
  const isDescending = query.sort[0]?.isDescending ?? true;
  const page = await firstRows(db, actor, query)
    .select('first.id')
    .orderBy('first.id', isDescending ? 'desc' : 'asc')
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  const { total } = await firstRows(db, actor, query)
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow();
  const ids = page.map((row) => row.id);
  const heads = ids.length === 0 ? [] : inOrderOf(ids, await visibleHistory(db, actor).where('audit.id', 'in', ids).execute());
  const sums = new Map((await sumUp(ctx, actor, query, ids)).map((sum) => [sum.id, sum]));
  const many = [...sums.values()].filter((sum) => sum.count > 1).map((sum) => sum.id);
  const names = await findNames(db, actor, query, many);
  const companies = await companyNames(
    db,
    actor,
    [...sums.values()].flatMap((sum) => [sum.from_id, sum.to_id, sum.company_id]),
  );
  const nameOf = (id: number | null | undefined) => (typeof id === 'number' ? (companies.get(id) ?? null) : null);
  const rows = heads.map((head): Omit<Change, 'labels'> => {
    const { is_undone: _undone, ...entry } = presentEntry(head, actor, undos);
    const sum = sums.get(head.id);
    const count = sum?.count ?? 1;
    const undo = undos.get(head.action);
    return {
      ...entry,
      entity_id: count === 1 ? entry.entity_id : null,
      count,
      names: names.get(head.id) ?? [head.entity_name],
      from_name: nameOf(sum?.from_id),
      to_name: nameOf(sum?.to_id),
      company_id: sum?.company_id ?? null,
      company_name: count === 1 ? entry.company_name : nameOf(sum?.company_id),
      before: count === 1 ? entry.before : null,
      after: count === 1 ? entry.after : null,
      via: viaOf(head),
      undone_count: sum?.undone_count ?? 0,
      is_undoable: undo !== undefined && can(actor, undo.permission) && (sum?.undoable ?? 0) > 0,
    };
  });
  return { rows: await addLabels(db, actor, rows), total };
}
