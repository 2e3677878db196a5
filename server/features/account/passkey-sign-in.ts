import type { Context } from '../../context.ts';
import type { Origin } from '../../kernel/actor.ts';
import { findStartCompany } from '../../kernel/auth/memberships.ts';
import { credentialIdOf, isSignedBy, spendPasskeyChallenge, type Site } from '../../kernel/auth/passkeys.ts';
import type { SessionTokens } from '../../kernel/auth/sessions.ts';
import { PasskeyRefused } from './errors.ts';
import { startSession } from './sign-in.ts';

/**
 * Signs in with a passkey alone: what one has, unlocked by what one knows or is, so no second factor is asked for. Throws PASSKEY_REFUSED, the
 * same for an unknown key, a wrong signature and a disabled person.
 */
export async function signInByPasskey(
  ctx: Context,
  {
    response,
    site,
    origin,
    formerSessionId,
  }: { response: string; site: Site | undefined; origin: Origin; formerSessionId: string | undefined },
): Promise<SessionTokens> {
  const passkey = await ctx.reads
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credentialIdOf(response) ?? '')
    .executeTakeFirst();
  const isExpected = (challenge: string) => spendPasskeyChallenge(ctx, null, challenge);
  if (!site || !passkey || !(await isSignedBy(ctx, passkey, { response, site, isExpected, mustVerify: true })))
    throw new PasskeyRefused({});
  const user = await ctx.reads.selectFrom('users').selectAll().where('id', '=', passkey.user_id).executeTakeFirst();
  if (!user || (await findStartCompany(ctx.reads, user.id)) === undefined) throw new PasskeyRefused({});
  return startSession(ctx, user, { action: 'account.login-passkey', origin, formerSessionId });
}
