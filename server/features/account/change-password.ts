import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { Caller, Origin } from '../../kernel/actor.ts';
import { LinkRefused, SessionRequired } from '../../kernel/auth/errors.ts';
import { dropLinks, makeLink, spendLink } from '../../kernel/auth/links.ts';
import { findStartCompany } from '../../kernel/auth/memberships.ts';
import { hashNewPassword } from '../../kernel/auth/passwords.ts';
import { createSession, endSessionsOf, type SessionTokens } from '../../kernel/auth/sessions.ts';
import type { SignInLimits } from '../../kernel/auth/sign-in-limits.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import type { Language } from '../../kernel/language.ts';
import { sendMail } from '../../kernel/mail/send-mail.ts';
import { writeMail } from '../../kernel/mail/write-mail.ts';
import { checkPassword } from './confirm-password.ts';
import { WrongPassword } from './errors.ts';
import { asOwnActor, auditOwn, requireOwnUser } from './own-user.ts';

/**
 * Sets a hash; every session of the person and every link that was mailed to it end. `ownSessionId`: the session that changes it.
 */
async function replacePassword(
  ctx: Context,
  trx: Trx,
  user: Row<'users'>,
  passwordHash: string,
  ownSessionId?: string,
): Promise<Row<'users'>> {
  const changes = { password_hash: passwordHash, updated_at: ctx.clock.now() };
  await trx.updateTable('users').set(changes).where('id', '=', user.id).execute();
  const sessions = await trx.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute();
  await endSessionsOf(trx, user.id, ctx.clock.now());
  await dropLinks(trx, user.id);
  afterCommit(trx, () => {
    // @NOTE Not the sockets of the page that changes it: they would come back before its new cookies. The check of old sessions ends them.
    for (const { id } of sessions) if (id !== ownSessionId) ctx.live.closeSockets({ sessionId: id });
  });
  return { ...user, ...changes };
}

/**
 * Changes the password of the person who calls: other sessions end, this one goes on under a new id. Throws SESSION_REQUIRED, WRONG_PASSWORD
 * at `current_password`, TOO_MANY_REQUESTS, PASSWORD_KNOWN at `password`.
 */
export async function changePassword(
  ctx: Context,
  limits: SignInLimits,
  caller: Caller,
  input: { current_password: string; password: string },
): Promise<SessionTokens> {
  const { actor, origin } = caller;
  if (actor.sessionId === undefined) throw new SessionRequired({});
  try {
    await checkPassword(ctx, limits, caller, input.current_password);
  } catch (error) {
    if (error instanceof WrongPassword) throw new WrongPassword({}, { source: 'current_password', cause: error });
    throw error;
  }
  const passwordHash = await hashNewPassword(input.password, actor);
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const before = await requireOwnUser(trx, actor);
    const after = await replacePassword(ctx, trx, before, passwordHash, actor.sessionId);
    await auditOwn(trx, { actor, origin, at }, { action: 'account.password', before, after });
    return createSession(ctx, trx, { userId: actor.userId, origin, now: at });
  });
}

/** How many mails one address is sent for a forgotten password. */
const MAX_MAILS = 3;

/** Counts mails for a forgotten password by address, in memory; answers whether one more may go out. */
export function createMailCounter(ctx: Pick<Context, 'clock'>, periodMs: number): (email: string) => boolean {
  const counts = new Map<string, { count: number; endsAt: number }>();
  return (email) => {
    const now = ctx.clock.now();
    for (const [key, { endsAt }] of counts) if (endsAt <= now) counts.delete(key);
    const entry = counts.get(email) ?? { count: 0, endsAt: now + periodMs };
    entry.count += 1;
    counts.set(email, entry);
    return entry.count <= MAX_MAILS;
  };
}

/**
 * Mails a link to a new password, if the address belongs to somebody who may sign in. The answer and its time are the same for everybody: the
 * mail is on its way after it, or in the mailbox of an installation without a mail server.
 */
export async function askForPassword(ctx: Context, input: { email: string; language: Language; mayMail: boolean }): Promise<void> {
  const email = input.email.trim().toLowerCase();
  const user = await ctx.reads.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
  if (!user || !input.mayMail || (await findStartCompany(ctx.reads, user.id)) === undefined) return;
  const mail = async (): Promise<void> => {
    const token = await inTransaction(ctx.db, (trx) => makeLink(ctx, trx, { kind: 'password', userId: user.id, email }));
    const url = `${ctx.publicUrl()}/new-password#${token}`;
    await sendMail(
      ctx,
      user.company_id,
      await writeMail(ctx, user.company_id, { to: email, kind: 'new-password', language: input.language, values: { url } }),
    );
  };
  mail().catch((error: unknown) => ctx.log.error({ err: error }, 'a link to a new password could not be mailed'));
}

/** Sets a new password by a mailed link. Nobody is signed in by it: the second factor is still asked for. Throws LINK_REFUSED, PASSWORD_KNOWN. */
export async function setPasswordByLink(
  ctx: Context,
  { token, password }: { token: string; password: string },
  origin: Origin,
): Promise<void> {
  const at = ctx.clock.now();
  const passwordHash = await hashNewPassword(password, { email: '' });
  await inTransaction(ctx.db, async (trx) => {
    const link = await spendLink(ctx, trx, 'password', token);
    const before = await requireOwnUser(trx, { userId: link.user_id });
    if ((await findStartCompany(trx, before.id)) === undefined || before.email !== link.email) throw new LinkRefused({});
    const after = await replacePassword(ctx, trx, before, passwordHash);
    await auditOwn(trx, { actor: asOwnActor(before), origin, at }, { action: 'account.password-by-link', before, after });
  });
}
