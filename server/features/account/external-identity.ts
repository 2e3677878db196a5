import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Origin } from '../../kernel/actor.ts';
import { findStartCompany } from '../../kernel/auth/memberships.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotInvitedExternalUser } from './errors.ts';
import type { ExternalIdentity } from './oidc-client.ts';
import { asOwnActor, auditOwn } from './own-user.ts';

/**
 * The person whom an external account belongs to: by its own number once they are bound, and before that by an address that the provider has
 * verified, which binds them. Throws NOT_INVITED_EXTERNAL_USER, the same for an unknown, unverified, otherwise bound and disabled one.
 */
export async function requireExternalUser(
  ctx: Context,
  { issuer, subject, verifiedEmail }: ExternalIdentity,
  origin: Origin,
): Promise<Row<'users'>> {
  return inTransaction(ctx.db, async (trx) => {
    const bound = await trx
      .selectFrom('external_identities')
      .innerJoin('users', 'users.id', 'external_identities.user_id')
      .selectAll('users')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    const user =
      bound ??
      (await trx
        .selectFrom('users')
        .selectAll()
        .where('email', '=', verifiedEmail ?? '')
        .executeTakeFirst());
    if (!user || (await findStartCompany(trx, user.id)) === undefined) throw new NotInvitedExternalUser({});
    if (bound) return user;
    const other = await trx
      .selectFrom('external_identities')
      .select('subject')
      .where('issuer', '=', issuer)
      .where('user_id', '=', user.id)
      .executeTakeFirst();
    if (other) throw new NotInvitedExternalUser({});
    const at = ctx.clock.now();
    await trx.insertInto('external_identities').values({ issuer, subject, user_id: user.id, created_at: at }).execute();
    const after = { ...user, email_unverified: 0 as const };
    await trx.updateTable('users').set({ email_unverified: 0 }).where('id', '=', user.id).execute();
    await auditOwn(trx, { actor: asOwnActor(user), origin, at }, { action: 'account.external-bound', before: user, after });
    return after;
  });
}
