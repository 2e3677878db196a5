import { sql } from 'kysely';
import type { Credit, CreditCode } from '../../../schemas/_generated/contract.ts';
import type { Db, Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, countRows, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible, seesCompany } from '../../kernel/tenancy.ts';
import { creditTypes, getCreditType, paymentOf } from './types.ts';

type Account = Pick<Row<'credit_accounts'>, 'company_id' | 'credit_type_id' | 'expires_at'>;
const keyOf = (account: Account): string => `${account.company_id}/${account.credit_type_id}/${account.expires_at}`;

/** What waits on devices of the credits on these accounts of companies. */
async function findReserved(db: Db, accounts: readonly Account[]): Promise<(account: Account) => number> {
  if (accounts.length === 0) return () => 0;
  const companies = [...new Set(accounts.map((account) => Number(account.company_id)))];
  const waiting = await db
    .selectFrom('credit_accounts')
    .select(['company_id', 'credit_type_id', 'expires_at', 'balance'])
    .where('kind', '=', 'reserved')
    .where(sql`coalesce(company_id, 0)`, 'in', companies)
    .execute();
  const balances = new Map(waiting.map((account) => [keyOf(account), account.balance]));
  return (account) => balances.get(keyOf(account)) ?? 0;
}

/** When the first credits came to each of these accounts. */
async function findAssigned(db: Db, ids: readonly number[]): Promise<Map<number, number | null>> {
  if (ids.length === 0) return new Map();
  const first = sql<number | null>`(select credit_transfers.created_at from credit_entries
    inner join credit_transfers on credit_transfers.id = credit_entries.transfer_id
    where credit_entries.account_id = credit_accounts.id order by credit_entries.id limit 1)`;
  const rows = await db
    .selectFrom('credit_accounts')
    .select(['id', first.as('at')])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, at }) => [id, at === null ? null : Number(at)]));
}

const creditColumns: ListColumns = {
  id: sql.ref('credit_accounts.id'),
  sorts: {
    company_name: byText('companies.name'),
    parent_company_name: { ...byText('parent.name'), isNullable: true },
    credit_left: { by: sql.ref('credit_accounts.balance') },
    credit_type_name: { by: sql.ref('credit_accounts.credit_type_id') },
    expire_at: { by: sql.ref('credit_accounts.expires_at'), isNullable: true },
    updated_at: { by: sql.ref('credit_accounts.updated_at') },
  },
  filters: {
    company_id: (values) => isOneOf(sql.ref('credit_accounts.company_id'), integers(values)),
    credit_type_id: (values) => isOneOf(sql.ref('credit_accounts.credit_type_id'), integers(values)),
    credit_type: (values) => isOneOf(sql.ref('credit_accounts.credit_type_id'), idsOfPayment(values)),
  },
  search: (text) => containsText([sql.ref('companies.name')], text),
};

/** The ids of the types that are free, paid, or both. */
export function idsOfPayment(values: readonly string[]): number[] {
  return creditTypes.filter((type) => values.includes(type.payment_type)).map((type) => type.id);
}

function selectCredits(db: Db, actor: Actor, query: ListQuery) {
  // By name the companies come first, in the order of their index, so that a page is found without the rest. SQLite keeps the given order.
  const tables =
    query.sort[0]?.key === 'company_name'
      ? db.selectFrom('companies').crossJoin('credit_accounts')
      : db.selectFrom('credit_accounts').crossJoin('companies');
  return tables
    .leftJoin('companies as parent', 'parent.id', 'companies.parent_id')
    .whereRef('companies.id', '=', 'credit_accounts.company_id')
    .where('credit_accounts.kind', '=', 'company')
    .where('credit_accounts.credit_type_id', '>', 0)
    .where(isVisible(actor, actor.scope === 'all' ? 'credit_accounts' : 'companies'))
    .selectAll('credit_accounts')
    .select(['companies.name as company_name', 'parent.id as parent_id', 'parent.name as parent_name', 'parent.path as parent_path']);
}

/** The same rows without names, which only free text asks for. */
function countableCredits(db: Db, actor: Actor) {
  return db
    .selectFrom('credit_accounts')
    .select('credit_accounts.id')
    .where('credit_accounts.kind', '=', 'company')
    .where('credit_accounts.credit_type_id', '>', 0)
    .where(isVisible(actor, 'credit_accounts'));
}

/** One page of what companies that the actor sees have of each type. */
export async function listCredits(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: Credit[]; total: number }> {
  const base = selectCredits(db, actor, query);
  const { rows, total } = await applyListQuery(base, query, creditColumns, (conditions) =>
    query.q === undefined ? countRows(countableCredits(db, actor), conditions) : countRows(base, conditions),
  );
  const reservedOf = await findReserved(db, rows);
  const assigned = await findAssigned(
    db,
    rows.map(({ id }) => id),
  );
  return {
    total,
    rows: rows.map((row) => {
      const type = getCreditType(row.credit_type_id);
      const seesParent = row.parent_id !== null && seesCompany(actor, { id: row.parent_id, path: row.parent_path ?? '' });
      return {
        id: row.id,
        company_id: Number(row.company_id),
        company_name: row.company_name,
        parent_company_name: seesParent ? row.parent_name : null,
        credit_type_id: type.id,
        credit_type: paymentOf(type, actor),
        credit_type_name: type.kind,
        credit_count: row.received,
        credit_left: row.balance,
        credit_reserved: reservedOf(row),
        expire_at: wireTime(row.expires_at),
        assigned_at: wireTime(assigned.get(row.id) ?? row.updated_at),
        updated_at: wireTime(row.updated_at),
      };
    }),
  };
}

const codeColumns: ListColumns = {
  id: sql.ref('credit_codes.id'),
  sorts: {
    company_name: byText('companies.name'),
    credits_amount: { by: sql.ref('credit_codes.amount') },
    activated_at: { by: sql.ref('credit_codes.used_at'), isNullable: true },
    created_at: { by: sql.ref('credit_codes.created_at') },
  },
  filters: {
    company_id: (values) => isOneOf(sql.ref('credit_codes.company_id'), integers(values)),
    is_used: (values) => isOneOf(sql`case when credit_codes.used_at is null then 0 else 1 end`, values.map(flag)),
  },
  search: (text) => containsText([sql.ref('companies.name'), sql.ref('credit_codes.comment'), sql.ref('credit_codes.hint')], text),
};

const flag = (value: string): number => (value === '1' || value === 'true' ? 1 : 0);

const takenBy = sql<number | null>`(select credit_transfers.user_id from credit_transfers where credit_transfers.code_id = credit_codes.id
  and credit_transfers.kind = 'activate-code')`;

function selectCodes(db: Db, actor: Actor) {
  return db
    .selectFrom('credit_codes')
    .innerJoin('companies', 'companies.id', 'credit_codes.company_id')
    .leftJoin('companies as taker', 'taker.id', 'credit_codes.used_by_company_id')
    .leftJoin('users', 'users.id', 'credit_codes.created_by')
    .selectAll('credit_codes')
    .select([
      'companies.name as company_name',
      'taker.name as taker_name',
      'taker.path as taker_path',
      'users.email',
      takenBy.as('taken_by'),
    ])
    .where(isVisible(actor, 'credit_codes'));
}

type CodeRow = Awaited<ReturnType<ReturnType<typeof selectCodes>['executeTakeFirstOrThrow']>>;

function presentCode(row: CodeRow, actor: Actor): CreditCode {
  const type = getCreditType(row.credit_type_id);
  const seesTaker = row.used_by_company_id !== null && seesCompany(actor, { id: row.used_by_company_id, path: row.taker_path ?? '' });
  return {
    id: row.id,
    company_id: row.company_id,
    company_name: row.company_name,
    code_hint: row.hint,
    credit_type: paymentOf(type, actor),
    credit_type_name: type.kind,
    credits_amount: row.amount,
    is_used: row.used_at !== null,
    used_by_company_id: seesTaker ? row.used_by_company_id : null,
    used_by_company_name: seesTaker ? row.taker_name : null,
    used_by_user_id: seesTaker ? row.taken_by : null,
    comment: row.comment,
    email: row.email,
    activated_at: wireTime(row.used_at),
    created_at: wireTime(row.created_at),
  };
}

/** One page of the codes of companies that the actor sees; the codes themselves are known to nobody any more. */
export async function listCodes(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: CreditCode[]; total: number }> {
  const { rows, total } = await applyListQuery(selectCodes(db, actor), query, codeColumns);
  return { total, rows: rows.map((row) => presentCode(row, actor)) };
}

/** One code of a company that the actor sees. */
export async function findCode(db: Db, actor: Actor, id: number): Promise<CreditCode | undefined> {
  const row = await selectCodes(db, actor).where('credit_codes.id', '=', id).executeTakeFirst();
  return row && presentCode(row, actor);
}
