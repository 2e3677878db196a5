import type { Context } from '../../context.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { SessionRequired } from '../../kernel/auth/errors.ts';
import { insertMembership } from '../../kernel/auth/memberships.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { refuseDuplicate } from '../../kernel/unique-conflicts.ts';
import { openCompany, requireInvitation } from './accept-invitation.ts';
import { EmailTaken, InvitationRefused } from './errors.ts';

/**
 * Makes somebody who has an account a member of the company that invites them; the session acts in it from then on. The invitation must be for
 * the address of the caller. Throws SESSION_REQUIRED, INVITATION_REFUSED, EMAIL_TAKEN for a member, COMPANY_NAME_NEEDED.
 */
export async function joinCompany(
  ctx: Context,
  { actor, origin }: Caller,
  { token, company_name }: { token: string; company_name?: string | undefined },
): Promise<void> {
  const { sessionId, userId, name } = actor;
  if (sessionId === undefined) throw new SessionRequired({});
  const at = ctx.clock.now();
  await refuseDuplicate(
    () =>
      inTransaction(ctx.db, async (trx) => {
        const open = await requireInvitation(ctx, trx, token);
        if (open.invitation.email !== actor.email || actor.onBehalfOf !== null) throw new InvitationRefused({});
        const { numDeletedRows } = await trx.deleteFrom('invitations').where('id', '=', open.invitation.id).executeTakeFirst();
        if (numDeletedRows !== 1n) throw new InvitationRefused({});
        const company = await openCompany(trx, open, company_name, at);
        const member = await insertMembership(trx, { userId, companyId: company.id, roleId: open.invitation.role_id, at });
        await trx.updateTable('sessions').set({ company_id: company.id }).where('id', '=', sessionId).execute();
        await trx.updateTable('users').set({ company_id: company.id }).where('id', '=', userId).execute();
        const entry = { entity: 'user', entityId: userId, entityName: name, companyId: company.id, before: null };
        await writeAudit(trx, { actor, origin, at }, [{ ...entry, action: 'users.accept-invitation', after: { ...member } }]);
        afterCommit(trx, () => ctx.live.closeSockets({ sessionId }));
      }),
    (cause) => new EmailTaken({}, { cause }),
  );
}
