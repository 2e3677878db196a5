import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import { endSessionsOf } from '../../kernel/auth/sessions.ts';
import { afterCommit } from '../../kernel/db/database.ts';

/** Ends all that a user has open in a company, and all in which others act for it there: in the transaction, then on the sockets. */
export async function endUserSessions(ctx: Context, trx: Trx, userId: number, companyId: number): Promise<void> {
  const sessionIds = await endSessionsOf(trx, userId, ctx.clock.now(), companyId);
  afterCommit(trx, () => {
    for (const sessionId of sessionIds) ctx.live.closeSockets({ sessionId });
    // What tokens began there, too.
    ctx.live.closeSockets({ userId, companyId });
  });
}
