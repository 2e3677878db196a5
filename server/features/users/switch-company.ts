import type { Context } from '../../context.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { SessionRequired } from '../../kernel/auth/errors.ts';
import { listOwnMemberships } from '../../kernel/auth/memberships.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';

/**
 * Lets a session act in another company of its person, with the role that they have there; the next sign-in begins there. What was followed
 * live in the old company ends. Throws SESSION_REQUIRED for access tokens, NOT_FOUND at `company_id`.
 */
export async function switchCompany(ctx: Context, { actor, origin }: Caller, companyId: number): Promise<void> {
  const { sessionId, userId, name } = actor;
  if (sessionId === undefined) throw new SessionRequired({});
  await inTransaction(ctx.db, async (trx) => {
    const own = await listOwnMemberships(trx, userId);
    const next = own.find((membership) => membership.company_id === companyId);
    if (!next) throw new NotFound({}, { source: 'company_id' });
    await trx.updateTable('sessions').set({ company_id: companyId }).where('id', '=', sessionId).execute();
    await trx.updateTable('users').set({ company_id: companyId }).where('id', '=', userId).execute();
    const entry = { action: 'account.switch-company', entity: 'user', entityId: userId, entityName: name };
    await writeAudit(trx, { actor, origin, at: ctx.clock.now() }, [
      // Where somebody came from is not for those who see only where they went.
      { ...entry, companyId, before: null, after: { company_id: companyId } },
    ]);
    afterCommit(trx, () => ctx.live.closeSockets({ sessionId }));
  });
}
