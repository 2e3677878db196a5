import type { Context } from '../../context.ts';
import type { Caller } from '../../kernel/actor.ts';
import { insertMembership } from '../../kernel/auth/memberships.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { requireCompany } from '../../kernel/tenancy.ts';
import { keptNumber, keptText, type Change } from '../../kernel/undo.ts';
import { refuseDuplicate } from '../../kernel/unique-conflicts.ts';
import { AccountGone, EmailTaken } from './errors.ts';
import { asSeenIn } from './present.ts';
import { assertMayGiveRole, auditMember, getUser, requireMember } from './service.ts';

/**
 * Makes a person who was taken out of a company a member again, in the role of then. Throws NOT_FOUND when the company is out of sight, ACCOUNT_GONE
 * when the account went with it, ROLE_NOT_ALLOWED for a role that the actor may not give or that is gone, EMAIL_TAKEN for a member.
 */
export async function restoreMember(ctx: Context, caller: Caller, { entityId: id, before }: Change): Promise<void> {
  const { actor } = caller;
  const at = ctx.clock.now();
  await refuseDuplicate(
    () =>
      inTransaction(ctx.db, async (trx) => {
        const company = await requireCompany(trx, actor, keptNumber(before, 'company_id'));
        const account = await trx.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst();
        if (!account) throw new AccountGone({ email: keptText(before, 'email') });
        const roleId = keptNumber(before, 'role_id');
        await assertMayGiveRole(trx, actor, roleId, company);
        await insertMembership(trx, { userId: id, companyId: company.id, roleId, at });
        if (before['disabled_at'] !== null)
          await trx
            .updateTable('memberships')
            .set({ disabled_at: keptNumber(before, 'disabled_at') })
            .where('user_id', '=', id)
            .where('company_id', '=', company.id)
            .execute();
        await auditMember(trx, caller, at, {
          action: 'users.restore',
          before: null,
          after: await requireMember(trx, actor, id, company.id),
        });
        const user = await getUser(trx, actor, id, company.id);
        afterCommit(trx, () => ctx.live.publishBelow(company.path, 'users', 'UserAdded', asSeenIn(user)));
      }),
    (cause) => new EmailTaken({}, { cause }),
  );
}
