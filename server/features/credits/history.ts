import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import type { CreditEntry } from '../../../schemas/_generated/contract.ts';
import type { CreditTransferKind } from '../../db/credit-tables.ts';
import type { Db } from '../../db/schema.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import {
  applyListQuery,
  containsText,
  integers,
  isOneOf,
  listConditions,
  listOrder,
  type ListColumns,
} from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { CsvColumn } from '../../kernel/db/csv.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { momentAfter, momentOf } from '../../kernel/moments.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';
import { findStart, hiddenCompanies, isFoundInOrder, isNewestFirst, type NumberedRows } from './numbered-rows.ts';
import { idsOfPayment } from './repo.ts';
import { creditTypes, paymentOf } from './types.ts';

/** What happened, in the order of the numbers that programs get for it. */
export const ACTIONS: readonly CreditTransferKind[] = [
  'add',
  'move',
  'new-code',
  'activate-code',
  'remove-code',
  'data',
  'reserve',
  'release',
  'use',
  'renew',
  'expire',
];

/** What every list of entries, joined with their transfers, can be asked. */
export const entryColumns = {
  id: sql.ref<number>('credit_entries.id'),
  // Entries are numbered in the order of time.
  sorts: { id: { by: sql.ref('credit_entries.id') }, created_at: { by: sql.ref('credit_entries.id') } },
  filters: {
    company_id: (values) => isOneOf(sql.ref('credit_entries.company_id'), integers(values)),
    user_id: (values) => isOneOf(sql.ref('credit_transfers.user_id'), integers(values)),
    start_date: ([text = '']) => sql`credit_transfers.created_at >= ${momentOf(text)}`,
    end_date: ([text = '']) => sql`credit_transfers.created_at < ${momentAfter(text)}`,
  },
} satisfies ListColumns;

const byNumber = { by: sql.ref('credit_entries.history_nr') };
const columns: ListColumns = {
  ...entryColumns,
  sorts: { id: byNumber, created_at: byNumber },
  filters: {
    ...entryColumns.filters,
    device_id: (values) => isOneOf(sql.ref('credit_transfers.device_id'), integers(values)),
    pool_id: (values) => isOneOf(sql.ref('credit_entries.account_id'), integers(values)),
    action: (values) => isOneOf(sql.ref('credit_transfers.kind'), values),
    credit_type_id: (values) => isOneOf(sql.ref('credit_transfers.credit_type_id'), integers(values)),
    credit_type: (values) => isOneOf(sql.ref('credit_transfers.credit_type_id'), idsOfPayment(values)),
  },
  search: (text) =>
    containsText([sql.ref('companies.name'), sql.ref('credit_transfers.user_name'), sql.ref('credit_transfers.device_serial')], text),
};

/** Whether nothing is asked for beyond companies: then numbers and accounts say how many entries there are, and where a page begins. */
function isCounted(query: ListQuery): boolean {
  return query.q === undefined && query.ids === undefined && query.filters.every((filter) => filter.key === 'company_id');
}

/** How many entries the accounts of companies that the actor sees have: counting a million rows takes longer than a page may. */
async function countEntries(db: Db, actor: Actor, query: ListQuery): Promise<number> {
  const companies = query.filters.map((filter) => isOneOf(sql.ref('credit_accounts.company_id'), integers(filter.values)));
  let counting = db
    .selectFrom('credit_accounts')
    .select(sql<number>`cast(coalesce(sum(entries_count), 0) as bigint)`.as('total'))
    .where('kind', '=', 'company')
    .where('credit_type_id', '>', 0)
    .where(isVisible(actor, 'credit_accounts'));
  for (const condition of companies) counting = counting.where(condition);
  return Number((await counting.executeTakeFirstOrThrow()).total);
}

/** A company's name where the actor sees the company; the other side of a move may be none of theirs. */
export function nameIfSeen(alias: 'giver' | 'taker', actor: Actor): RawBuilder<string | null> {
  if (actor.scope === 'all') return sql`${sql.ref(`${alias}.name`)}`;
  if (actor.scope === 'company') return sql`case when ${sql.ref(`${alias}.id`)} = ${actor.companyId} then ${sql.ref(`${alias}.name`)} end`;
  const path = sql.ref(`${alias}.path`);
  return sql`case when substr(${path}, 1, ${actor.companyPath.length}) = ${actor.companyPath} then ${sql.ref(`${alias}.name`)} end`;
}

const kindName = sql<string>`case credit_transfers.credit_type_id ${sql.join(
  creditTypes.map((type) => sql`when ${sql.lit(type.id)} then ${sql.lit(type.kind)}`),
  sql` `,
)} end`;
const paymentName = sql<'paid' | 'free'>`case when credit_transfers.credit_type_id % 2 = 0 then 'paid' else 'free' end`;

function selectHistory(db: Db, actor: Actor) {
  return db
    .selectFrom('credit_entries')
    .innerJoin('credit_transfers', 'credit_transfers.id', 'credit_entries.transfer_id')
    .innerJoin('credit_accounts', 'credit_accounts.id', 'credit_entries.account_id')
    .innerJoin('companies', 'companies.id', 'credit_entries.company_id')
    .leftJoin('companies as giver', 'giver.id', 'credit_transfers.from_company_id')
    .leftJoin('companies as taker', 'taker.id', 'credit_transfers.to_company_id')
    .where('credit_transfers.credit_type_id', '>', 0)
    .where(isVisible(actor, 'credit_entries'))
    .select([
      'credit_entries.id',
      'credit_transfers.created_at',
      'companies.id as company_id',
      'companies.name as company',
      'credit_transfers.kind as action',
      'credit_transfers.credit_type_id',
      paymentName.as('credit_type'),
      kindName.as('credit_type_name'),
      'credit_entries.amount',
      'credit_entries.balance_after',
      nameIfSeen('giver', actor).as('from_company'),
      nameIfSeen('taker', actor).as('to_company'),
      'credit_transfers.user_id',
      'credit_transfers.user_name as user',
      'credit_transfers.device_id',
      'credit_transfers.device_serial as serial',
      'credit_transfers.device_mac as mac',
      'credit_entries.account_id as pool_id',
      'credit_accounts.expires_at as expire_at',
    ]);
}

function matching(db: Db, actor: Actor, query: ListQuery) {
  let found = selectHistory(db, actor);
  for (const condition of listConditions(query, columns)) found = found.where(condition);
  for (const part of listOrder(query, columns)) found = found.orderBy(part);
  return found;
}

const numbered: NumberedRows = {
  table: 'credit_entries',
  nr: 'history_nr',
  isHidden: sql<SqlBool>`company_id in ${hiddenCompanies}`,
};

/** Which entries the actor sees; `+` keeps SQLite from collecting them by company. */
function isSeen(actor: Actor, isInOrder: boolean): Expression<SqlBool> {
  if (actor.scope === 'all') return sql<SqlBool>`company_id not in ${hiddenCompanies}`;
  return isInOrder ? isWithin(sql`+credit_entries.company_id`, [actor.companyId]) : isVisible(actor, 'credit_entries');
}

/** The ids of one page where only companies are asked for, and the total: nothing is joined to the entries that are passed over. */
async function findPage(db: Db, actor: Actor, query: ListQuery): Promise<{ ids: number[]; total: number }> {
  const isWhole = query.filters.length === 0;
  const begin = isWhole && actor.scope === 'all' ? await findStart(db, numbered, query) : undefined;
  const total = begin?.total ?? (await countEntries(db, actor, query));
  const isInOrder = isWhole && actor.scope === 'tree' && (await isFoundInOrder(db, numbered, query, total));
  let found = db
    .selectFrom('credit_entries')
    .select('credit_entries.id')
    .where('credit_entries.history_nr', 'is not', null)
    .where(isSeen(actor, isInOrder))
    .limit(query.limit);
  for (const condition of listConditions(query, columns)) found = found.where(condition);
  for (const part of listOrder(query, columns)) found = found.orderBy(part);
  found = begin ? found.where('credit_entries.history_nr', isNewestFirst(query) ? '<=' : '>=', begin.start) : found.offset(query.offset);
  return { ids: (await found.execute()).map((row) => row.id), total };
}

async function readCounted(db: Db, actor: Actor, query: ListQuery) {
  const { ids, total } = await findPage(db, actor, query);
  const rows = ids.length === 0 ? [] : await matching(db, actor, query).where('credit_entries.id', 'in', ids).execute();
  return { rows, total };
}

/** One page of what came to and went from the credits of companies that the actor sees, newest first unless asked otherwise. */
export async function listCreditHistory(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: CreditEntry[]; total: number }> {
  const { rows, total } = isCounted(query)
    ? await readCounted(db, actor, query)
    : await applyListQuery(selectHistory(db, actor), query, columns);
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      credit_type: paymentOf({ payment_type: row.credit_type }, actor),
      action_type: ACTIONS.indexOf(row.action) + 1,
      created_at: wireTime(row.created_at),
      expire_at: wireTime(row.expire_at),
    })),
  };
}

const KINDS: Readonly<Record<string, CsvColumn['kind']>> = {
  created_at: 'time',
  expire_at: 'time',
  ...Object.fromEntries(
    ['id', 'company_id', 'credit_type_id', 'amount', 'balance_after', 'user_id', 'device_id', 'pool_id'].map((name) => [name, 'number']),
  ),
};

/** The history as a query for a file with these fields as columns. */
export function creditHistoryFile(db: Db, actor: Actor, query: ListQuery, fields: readonly string[]) {
  // The number of an action is next to its name; only older programs read it.
  const chosen = fields.filter((field) => field !== 'action_type');
  const whole = matching(db, actor, query);
  // Only system administrators read which are paid (docs/behaviour.md section 4).
  const hidesPaid = !can(actor, 'super_admin');
  return {
    query: db
      .selectFrom(whole.as('entries'))
      .select(
        chosen.map((field) =>
          hidesPaid && field === 'credit_type'
            ? sql<string | null>`nullif(entries.credit_type, 'paid')`.as(field)
            : sql.ref(`entries.${field}`).as(field),
        ),
      )
      .compile(),
    columns: chosen.map((header): CsvColumn => ({ header, kind: KINDS[header] ?? 'text' })),
  };
}
