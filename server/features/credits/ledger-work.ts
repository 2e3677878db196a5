import type { JsonValue } from '../../../schemas/kit/types.ts';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { lockLedger, transferCredits, type Portion, type Transfer } from './ledger.ts';

type Kept = Record<string, JsonValue>;

/** What one person writes to the ledger in one transaction, with the audit rows that tell of it. */
export interface LedgerWork {
  trx: Trx;
  at: number;
  transfer(transfer: Omit<Transfer, 'caller' | 'at'>): Promise<Portion[]>;
  audit(entry: { action: string; company: Pick<Row<'companies'>, 'id' | 'name'>; before?: Kept; after: Kept | null }): Promise<void>;
}

/** Runs `work` in one transaction that has the ledger to itself. */
export function inLedger<T>(ctx: Context, caller: Caller, work: (ledger: LedgerWork) => Promise<T>): Promise<T> {
  return inTransaction(ctx.db, async (trx) => {
    await lockLedger(trx, ctx.database);
    const at = ctx.clock.now();
    return work({
      trx,
      at,
      transfer: (transfer) => transferCredits(trx, { ...transfer, caller, at }),
      audit: ({ action, company, before = null, after }) =>
        writeAudit(trx, { ...caller, at }, [
          { action, entity: 'credit', entityId: null, entityName: company.name, companyId: company.id, before, after },
        ]),
    });
  });
}
