import type { Context } from '../../context.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { SessionRequired } from '../../kernel/auth/errors.ts';
import { isPassword } from '../../kernel/auth/passwords.ts';
import type { SignInLimits } from '../../kernel/auth/sign-in-limits.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { WrongPassword } from './errors.ts';

/** Checks the password of the person who calls. Throws SESSION_REQUIRED, TOO_MANY_REQUESTS, WRONG_PASSWORD at `password`. */
export async function checkPassword(ctx: Context, limits: SignInLimits, { actor, origin }: Caller, password: string): Promise<void> {
  const { sessionId } = actor;
  if (sessionId === undefined) throw new SessionRequired({});
  // The caller is known by the session; only its guesses are counted.
  const attempt = { email: actor.email, ip: `session ${sessionId}` };
  limits.begin({ ...attempt, isKnownAddress: true });
  const user = await ctx.reads.selectFrom('users').select('password_hash').where('id', '=', actor.userId).executeTakeFirst();
  if (!(await isPassword(user?.password_hash, password))) {
    const { userId: entityId, name: entityName, companyId } = actor;
    const row = { action: 'account.password-refused', entity: 'user', entityId, entityName, companyId, before: null, after: null };
    await inTransaction(ctx.db, (trx) => writeAudit(trx, { actor, origin, at: ctx.clock.now() }, [row]));
    throw new WrongPassword({}, { source: 'password' });
  }
  limits.succeed({ ...attempt, isKnownAddress: true });
}

/** Lets the call pass that last asked this session for the password, and no other. Throws as `checkPassword`. */
export async function confirmPassword(ctx: Context, limits: SignInLimits, caller: Caller, password: string): Promise<void> {
  await checkPassword(ctx, limits, caller, password);
  await ctx.db
    .updateTable('sessions')
    .set(({ ref }) => ({ confirmed_call: ref('asked_call'), asked_call: null, call_confirmed_at: ctx.clock.now() }))
    .where('id', '=', caller.actor.sessionId ?? '')
    .execute();
}
