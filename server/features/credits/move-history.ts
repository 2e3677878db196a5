import { sql, type Expression, type SqlBool } from 'kysely';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, containsText, integers, isOneOf, listOrder, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { ListQuery, ListRules } from '../../kernel/list-query.ts';
import { isWithin } from '../../kernel/tenancy.ts';
import { nameIfSeen } from './history.ts';
import { findStart, hiddenCompanies, isFoundInOrder, isNewestFirst, type NumberedRows } from './numbered-rows.ts';
import { getCreditType } from './types.ts';

const FIELDS = ['id', 'user_id', 'user', 'from_company', 'to_company', 'credit_type_id', 'credit_type_name', 'count', 'created_at'];

/** What the list of moves may be asked. */
export const moveRules: ListRules = {
  sorts: new Set(['id', 'created_at']),
  filters: new Map(['company_id', 'pool_id', 'credit_type_id'].map((key) => [key, { kind: 'integer', isNegatable: false }])),
  fields: new Map(FIELDS.map((field) => [field, undefined])),
  defaultSort: { key: 'created_at', isDescending: true },
  isSearchable: true,
};

type Side = 'from_company_id' | 'to_company_id';
const sideOf = (side: Side) => sql.ref(`credit_transfers.${side}`);

function isWithinSight(actor: Actor, side: Expression<unknown>): Expression<SqlBool> {
  if (actor.scope === 'all') return sql<SqlBool>`${side} not in ${hiddenCompanies}`;
  return actor.scope === 'company' ? isOneOf(side, [actor.companyId]) : isWithin(side, [actor.companyId]);
}

/** Which moves have a side that the actor sees; `+` keeps SQLite from collecting them by company. */
function isSeen(actor: Actor, isInOrder = false): Expression<SqlBool> {
  const [from, to] = [sideOf('from_company_id'), sideOf('to_company_id')].map((side) =>
    isWithinSight(actor, isInOrder ? sql`+${side}` : side),
  );
  return sql<SqlBool>`(${from} or ${to})`;
}

const columns: ListColumns = {
  id: sql.ref('credit_transfers.id'),
  sorts: { id: { by: sql.ref('credit_transfers.move_nr') }, created_at: { by: sql.ref('credit_transfers.move_nr') } },
  filters: {
    company_id: (values) =>
      sql<SqlBool>`(${isOneOf(sideOf('from_company_id'), integers(values))} or ${isOneOf(sideOf('to_company_id'), integers(values))})`,
    pool_id: (values) => sql<SqlBool>`credit_transfers.id in (select transfer_id from credit_entries
      where ${isOneOf(sql.ref('credit_entries.account_id'), integers(values))})`,
    credit_type_id: (values) => isOneOf(sql.ref('credit_transfers.credit_type_id'), integers(values)),
  },
  search: (text) => containsText([sql.ref('credit_transfers.user_name')], text),
};

function selectMoves(db: Db, actor: Actor) {
  return db
    .selectFrom('credit_transfers')
    .leftJoin('companies as giver', 'giver.id', 'credit_transfers.from_company_id')
    .leftJoin('companies as taker', 'taker.id', 'credit_transfers.to_company_id')
    .where('credit_transfers.move_nr', 'is not', null)
    .select([
      'credit_transfers.id',
      'credit_transfers.user_id',
      'credit_transfers.user_name as user',
      'credit_transfers.credit_type_id',
      'credit_transfers.created_at',
      nameIfSeen('giver', actor).as('from_company'),
      nameIfSeen('taker', actor).as('to_company'),
      sql<number>`(select cast(sum(got.amount) as bigint) from credit_entries as got where got.transfer_id = credit_transfers.id and got.amount > 0)`.as(
        'count',
      ),
    ]);
}

const numbered: NumberedRows = {
  table: 'credit_transfers',
  nr: 'move_nr',
  isHidden: sql<SqlBool>`from_company_id in ${hiddenCompanies} and to_company_id in ${hiddenCompanies}`,
};

/** How many moves have a side that the actor sees: those from there, and those that only go there. */
async function countMoves(db: Db, actor: Actor): Promise<number> {
  const counted = (condition: Expression<SqlBool>) =>
    sql<number>`(select count(*) from credit_transfers where move_nr is not null and ${condition})`;
  const given = isWithinSight(actor, sideOf('from_company_id'));
  const { rows } = await sql<{ total: number }>`select ${counted(given)}
    + ${counted(sql<SqlBool>`${isWithinSight(actor, sideOf('to_company_id'))} and not ${given}`)} as total`.execute(db);
  return rows[0]?.total ?? 0;
}

/** A page of all moves in sight: the total is kept or comes from indexes alone, and where everything is seen, a far page begins at its number. */
async function readPage(db: Db, actor: Actor, query: ListQuery) {
  const begin = actor.scope === 'all' ? await findStart(db, numbered, query) : undefined;
  const total = begin?.total ?? (await countMoves(db, actor));
  const isInOrder = actor.scope === 'tree' && (await isFoundInOrder(db, numbered, query, total));
  let page = selectMoves(db, actor).where(isSeen(actor, isInOrder)).limit(query.limit);
  for (const part of listOrder(query, columns)) page = page.orderBy(part);
  page = begin ? page.where('credit_transfers.move_nr', isNewestFirst(query) ? '<=' : '>=', begin.start) : page.offset(query.offset);
  return { rows: await page.execute(), total };
}

/** One page of moves between companies of which the actor sees at least one, each once; the name of one out of sight is null. */
export async function listMoves(db: Db, actor: Actor, query: ListQuery) {
  const isWhole = query.filters.length === 0 && query.q === undefined && query.ids === undefined;
  const { rows, total } = isWhole
    ? await readPage(db, actor, query)
    : await applyListQuery(selectMoves(db, actor).where(isSeen(actor)), query, columns);
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      count: Number(row.count),
      credit_type_name: getCreditType(row.credit_type_id).kind,
      created_at: wireTime(row.created_at),
    })),
  };
}
