import { sql } from 'kysely';
import type { Context } from '../../context.ts';

/** What is wrong with the ledger; all zero in one that is in order. */
export interface LedgerFaults {
  /** Transfers whose entries do not sum to zero. */
  transfers: number;
  /** Accounts whose balance is not the sum of their entries. */
  accounts: number;
  /** Accounts below zero that may not be. */
  below_zero: number;
}

/** Adds the whole ledger up: every transfer must sum to zero, every balance be the sum of its entries. Reads every row, beside the event loop. */
export async function checkLedger(ctx: Context): Promise<LedgerFaults> {
  const query = sql<LedgerFaults>`select
    (select count(*) from (select transfer_id from credit_entries group by transfer_id having sum(amount) <> 0) as wrong) as transfers,
    (select count(*) from (select a.id from credit_accounts a left join credit_entries e on e.account_id = a.id
      group by a.id, a.balance having a.balance <> coalesce(sum(e.amount), 0)) as wrong) as accounts,
    (select count(*) from credit_accounts where balance < 0 and kind <> 'issued') as below_zero`;
  const [faults] = await ctx.database.longReads.rows(query.compile(ctx.reads));
  return faults ?? { transfers: 0, accounts: 0, below_zero: 0 };
}
