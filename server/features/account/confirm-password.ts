import type { Context } from '../../context.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { SessionRequired } from '../../kernel/auth/errors.ts';
import { isPassword } from '../../kernel/auth/passwords.ts';
import type { SignInLimits } from '../../kernel/auth/sign-in-limits.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { WrongPassword } from './errors.ts';

/** Notes that the session's person has typed the password again. Throws SESSION_REQUIRED, TOO_MANY_REQUESTS, WRONG_PASSWORD at `password`. */
export async function confirmPassword(ctx: Context, limits: SignInLimits, { actor, origin }: Caller, password: string): Promise<void> {
  const { sessionId } = actor;
  if (sessionId === undefined) throw new SessionRequired({});
  // Whoever has the session is known; only what it may guess is counted.
  const attempt = { email: actor.email, ip: `session ${sessionId}` };
  limits.begin({ ...attempt, isKnownAddress: true });
  const user = await ctx.reads.selectFrom('users').select('password_hash').where('id', '=', actor.userId).executeTakeFirst();
  const at = ctx.clock.now();
  if (!(await isPassword(user?.password_hash, password))) {
    const { userId: entityId, name: entityName, companyId } = actor;
    const row = { action: 'account.password-refused', entity: 'user', entityId, entityName, companyId, before: null, after: null };
    await inTransaction(ctx.db, (trx) => writeAudit(trx, { actor, origin, at }, [row]));
    throw new WrongPassword({}, { source: 'password' });
  }
  limits.succeed({ ...attempt, isKnownAddress: true });
  await ctx.db.updateTable('sessions').set({ password_confirmed_at: at }).where('id', '=', sessionId).execute();
}
