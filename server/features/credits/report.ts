import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { CreditTransferKind } from '../../db/credit-tables.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';
import { NotFound } from '../../kernel/errors.ts';
import { momentAfter, momentOf } from '../../kernel/moments.ts';
import { isVisible, requireCompany } from '../../kernel/tenancy.ts';
import { ACTIONS } from './history.ts';
import { CREDIT_BYTES, getCreditType, paymentOf } from './types.ts';
import { textKey } from '../../kernel/apply-list-query.ts';

/** Rows of each list; the totals are over all. */
export const MOST_ROWS = 1000;

const DEVICE_KINDS: CreditTransferKind[] = ['use', 'renew', 'reserve', 'release'];

export interface ReportQuery {
  company_id?: number;
  /** Days or times of them in UTC, both included. */
  start_date?: string;
  end_date?: string;
}

/** The entries of a company's credits, or of one pool of them, in a period, with their transfers. */
function selectEntries(ctx: Context, actor: Actor, companyId: number, { start_date, end_date }: ReportQuery, poolId?: number) {
  let entries = ctx.reads
    .selectFrom('credit_entries')
    .innerJoin('credit_transfers', 'credit_transfers.id', 'credit_entries.transfer_id')
    .where('credit_entries.company_id', '=', companyId)
    .where('credit_transfers.credit_type_id', '>', 0)
    .where(isVisible(actor, 'credit_entries'));
  if (poolId !== undefined) entries = entries.where('credit_entries.account_id', '=', poolId);
  if (start_date !== undefined) entries = entries.where('credit_transfers.created_at', '>=', momentOf(start_date));
  if (end_date !== undefined) entries = entries.where('credit_transfers.created_at', '<', momentAfter(end_date));
  return entries;
}

type Entries = ReturnType<typeof selectEntries>;

const sumOfAmounts = sql<number>`cast(coalesce(sum(credit_entries.amount), 0) as bigint)`;

async function sumByKind(ctx: Context, entries: Entries) {
  const rows = await ctx.database.longReads.rows(
    entries
      .groupBy('credit_transfers.kind')
      .select(['credit_transfers.kind', sumOfAmounts.as('amount'), sql<number>`count(*)`.as('count')])
      .compile(),
  );
  return {
    /** What went away by these kinds, less what came back. */
    spent: (...kinds: CreditTransferKind[]): number =>
      rows.reduce((sum, row) => sum - (kinds.includes(row.kind) && (row.kind !== 'move' || row.amount < 0) ? Number(row.amount) : 0), 0),
    count: (...kinds: CreditTransferKind[]): number =>
      rows.reduce((sum, row) => sum + (kinds.includes(row.kind) ? Number(row.count) : 0), 0),
  };
}

/** What other companies that the actor sees got. */
function findMoves(entries: Entries, actor: Actor) {
  return entries
    .innerJoin('companies', 'companies.id', 'credit_transfers.to_company_id')
    .where(isVisible(actor, 'companies'))
    .where('credit_transfers.kind', '=', 'move')
    .where('credit_entries.amount', '<', 0)
    .groupBy(['companies.id', 'companies.name'])
    .orderBy(textKey(sql.ref('companies.name')))
    .select(['companies.id as to_company_id', 'companies.name as company_name', sql<number>`-${sumOfAmounts}`.as('count')])
    .execute();
}

function findLogs(entries: Entries) {
  return entries
    .where('credit_transfers.kind', 'in', DEVICE_KINDS)
    .orderBy('credit_entries.id', 'desc')
    .limit(MOST_ROWS)
    .select([
      'credit_transfers.device_mac',
      'credit_transfers.device_serial',
      'credit_entries.account_id as pool_id',
      'credit_transfers.kind as action',
      'credit_transfers.created_at',
      'credit_transfers.user_name as username',
    ])
    .execute();
}

function findCodes(entries: Entries, actor: Actor) {
  return entries
    .innerJoin('credit_codes', 'credit_codes.id', 'credit_transfers.code_id')
    .where('credit_transfers.kind', '=', 'new-code')
    .orderBy('credit_entries.id', 'desc')
    .limit(MOST_ROWS)
    .leftJoin('companies', (join) => join.onRef('companies.id', '=', 'credit_codes.used_by_company_id').on(isVisible(actor, 'companies')))
    .select(['credit_codes.amount', 'credit_codes.hint', 'credit_codes.used_at', 'credit_codes.comment', 'credit_codes.created_at'])
    .select(['companies.id as used_by_company_id', sql<number>`-credit_entries.amount`.as('pool_amount')])
    .execute();
}

function findPurchases(entries: Entries) {
  return entries
    .where('credit_transfers.kind', '=', 'data')
    .orderBy('credit_entries.id', 'desc')
    .limit(MOST_ROWS)
    .select([
      'credit_transfers.id',
      sql<number>`-credit_entries.amount`.as('credits_used'),
      'credit_entries.account_id as from_pool_id',
      'credit_entries.company_id',
      'credit_transfers.user_id',
      'credit_transfers.user_name as username',
      'credit_transfers.created_at',
    ])
    .execute();
}

/** What a company (the actor's own by default) did with its credits in a period. Throws NOT_FOUND at `company_id`. */
export async function reportUsage(ctx: Context, actor: Actor, query: ReportQuery) {
  const company = await requireCompany(ctx.reads, actor, query.company_id ?? actor.companyId, 'company_id');
  return { ...(await reportEntries(ctx, actor, company, selectEntries(ctx, actor, company.id, query))), ...daysOf(query), pool: null };
}

/** What became of one pool: the credits of a type that a company has and that end together. Throws NOT_FOUND. */
export async function reportPool(ctx: Context, actor: Actor, id: number) {
  const account = await ctx.reads
    .selectFrom('credit_accounts')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', 'company')
    .where('credit_type_id', '>', 0)
    .where(isVisible(actor, 'credit_accounts'))
    .executeTakeFirst();
  if (!account) throw new NotFound({});
  const company = await requireCompany(ctx.reads, actor, Number(account.company_id));
  const type = getCreditType(account.credit_type_id);
  return {
    ...(await reportEntries(ctx, actor, company, selectEntries(ctx, actor, company.id, {}, id))),
    ...daysOf({}),
    pool: {
      id,
      credit_type_id: type.id,
      credit_type: paymentOf(type, actor),
      credit_type_name: type.kind,
      credit_count: account.received,
      credit_left: account.balance,
      expire_at: wireTime(account.expires_at),
    },
  };
}

const daysOf = ({ start_date = null, end_date = null }: { start_date?: string | null; end_date?: string | null }) => ({
  start_date,
  end_date,
});

async function reportEntries(ctx: Context, actor: Actor, company: Pick<Row<'companies'>, 'id' | 'name'>, entries: Entries) {
  const sums = await sumByKind(ctx, entries);
  const moves = await findMoves(entries, actor);
  const logs = await findLogs(entries);
  const codes = await findCodes(entries, actor);
  const purchases = await findPurchases(entries);
  return {
    company_id: company.id,
    company_name: company.name,
    totals: {
      child_pools: moves.length,
      child_company_credits: moves.reduce((sum, move) => sum + Number(move.count), 0),
      pool_logs: sums.count(...DEVICE_KINDS),
      credits_for_devices: sums.spent(...DEVICE_KINDS),
      transfer_codes_credits: sums.spent('new-code', 'remove-code'),
      data_purchase: sums.spent('data'),
    },
    child_pools: moves,
    pool_logs: logs.map((log) => ({ ...log, action_id: ACTIONS.indexOf(log.action) + 1, created_at: wireTime(log.created_at) })),
    transfer_codes: codes.map(({ hint, used_at, created_at, ...code }) => ({
      ...code,
      code_hint: hint,
      is_used: used_at !== null,
      created_at: wireTime(created_at),
    })),
    data_purchase: purchases.map((purchase) => ({
      ...purchase,
      bytes_purchased: Number(purchase.credits_used) * CREDIT_BYTES,
      created_at: wireTime(purchase.created_at),
    })),
  };
}

export type UsageReport = Awaited<ReturnType<typeof reportUsage> | ReturnType<typeof reportPool>>;
