import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { hashToken } from '../../kernel/auth/tokens.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { IdempotencyKeyUsed } from './errors.ts';
import { lockLedger, transferCredits, type Portion, type Transfer } from './ledger.ts';

type Kept = Record<string, JsonValue>;

/** What one person writes to the ledger in one transaction, with the audit rows that report it. */
export interface LedgerWork {
  trx: Trx;
  at: number;
  transfer(transfer: Omit<Transfer, 'caller' | 'at'>): Promise<Portion[]>;
  audit(entry: { action: string; company: Pick<Row<'companies'>, 'id' | 'name'>; before?: Kept; after: Kept | null }): Promise<void>;
}

/** Who calls, and by which key the call is known when it is sent again; `call` is what it says, as `hashRequest` gives it. */
export interface LedgerCaller extends Caller {
  once?: { key: string; call: string } | undefined;
}

/** The transfer that this very call has made before. Throws IDEMPOTENCY_KEY_USED when its key was used for another call. */
async function findEarlier(trx: Trx, { actor, once }: LedgerCaller): Promise<Row<'credit_transfers'> | undefined> {
  if (!once) return undefined;
  const earlier = await trx
    .selectFrom('credit_transfers')
    .selectAll()
    .where('user_id', '=', actor.userId)
    .where('idempotency_key', 'like', `${hashToken(once.key)}.%`)
    .executeTakeFirst();
  if (earlier && earlier.idempotency_key !== storedKey(once)) throw new IdempotencyKeyUsed({}, { source: 'Idempotency-Key' });
  return earlier;
}

const storedKey = ({ key, call }: NonNullable<LedgerCaller['once']>): string => `${hashToken(key)}.${call}`;

/** Runs `work` in one transaction that has the ledger to itself. A call that comes again under its key does nothing. */
export function inLedger(ctx: Context, caller: LedgerCaller, work: (ledger: LedgerWork) => Promise<void>): Promise<void> {
  return answerInLedger(ctx, caller, work, async () => undefined);
}

/** The same for work that answers; a call that comes again gets the same answer, which `again` makes of the transfer of then. */
export function answerInLedger<T>(
  ctx: Context,
  caller: LedgerCaller,
  work: (ledger: LedgerWork) => Promise<T>,
  again: (earlier: Row<'credit_transfers'>, trx: Trx) => Promise<T>,
): Promise<T> {
  return inTransaction(ctx.db, async (trx) => {
    await lockLedger(trx, ctx.database);
    const earlier = await findEarlier(trx, caller);
    if (earlier) return again(earlier, trx);
    const at = ctx.clock.now();
    let once = caller.once;
    return work({
      trx,
      at,
      transfer(transfer) {
        // The first one represents the whole call.
        const note = once ? { ...transfer.note, idempotency_key: storedKey(once) } : transfer.note;
        once = undefined;
        return transferCredits(trx, { ...transfer, ...(note ? { note } : {}), caller, at });
      },
      audit: ({ action, company, before = null, after }) =>
        writeAudit(trx, { ...caller, at }, [
          { action, entity: 'credit', entityId: null, entityName: company.name, companyId: company.id, before, after },
        ]),
    });
  });
}
