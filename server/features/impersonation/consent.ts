import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { findUserActor } from '../../kernel/auth/find-actor.ts';
import { endActingFor } from '../../kernel/auth/sessions.ts';
import { hashToken, randomToken } from '../../kernel/auth/tokens.ts';
import { DAY, HOUR, wireTime } from '../../kernel/clock.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { Forbidden, NotFound } from '../../kernel/errors.ts';
import type { Language } from '../../kernel/language.ts';
import { sendMail } from '../../kernel/mail/send-mail.ts';
import { writeMail } from '../../kernel/mail/write-mail.ts';
import { LinkRefused, OwnAccount } from './errors.ts';
import { logExpired } from './log-expired.ts';
import { findSubject, mayActFor } from './impersonated-user.ts';

const LINK_MS = DAY;

function keptOf({ token_hash: _hash, ...kept }: Row<'impersonation_requests'>) {
  return kept;
}

/**
 * Asks a user by mail for permission to impersonate them. Only the mail has the link; an earlier one of the same person is void.
 * Throws NOT_FOUND, OWN_ACCOUNT, and FORBIDDEN for a user with rights that the actor has not.
 */
export async function askForConsent(
  ctx: Context,
  { actor, origin }: Caller,
  userId: number,
  reason: string,
  language: Language,
): Promise<void> {
  const token = randomToken();
  const at = ctx.clock.now();
  const subject = await inTransaction(ctx.db, async (trx) => {
    const found = await findSubject(trx, actor, userId);
    if (!found) throw new NotFound({});
    if (found.id === actor.userId) throw new OwnAccount({});
    if (!(await mayActFor(trx, actor, found))) throw new Forbidden({});
    const { id, company_id } = found;
    await trx.deleteFrom('impersonation_requests').where('user_id', '=', id).where('requested_by', '=', actor.userId).execute();
    const row = await trx
      .insertInto('impersonation_requests')
      .values({
        token_hash: hashToken(token),
        user_id: id,
        company_id,
        requested_by: actor.userId,
        requester_company_id: actor.companyId,
        reason,
        expires_at: at + LINK_MS,
        created_at: at,
        confirmed_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const entry = { entity: 'user', entityId: id, entityName: found.username, companyId: company_id, before: null };
    await writeAudit(trx, { actor, origin, at }, [{ ...entry, action: 'impersonation.ask', after: keptOf(row) }]);
    return found;
  });
  const url = `${ctx.publicUrl()}/users/confirm-impersonation-access#${token}`;
  await sendMail(
    ctx,
    subject.company_id,
    await writeMail(ctx, subject.company_id, {
      to: subject.email,
      kind: 'impersonation-asked',
      language,
      values: { name: actor.name, reason, url },
    }),
  );
}

/** Who asks by this link, when the link is for this user and the asker may still impersonate them. Throws IMPERSONATION_LINK_REFUSED. */
async function requireRequest(ctx: Context, db: Db, userId: number, token: string) {
  const request = await db
    .selectFrom('impersonation_requests')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirst();
  const asker =
    request && (await findUserActor({ ...ctx, reads: db }, { userId: request.requested_by, companyId: request.requester_company_id }));
  const subject = request && asker && (await findSubject(db, asker, userId, request.company_id));
  if (!request || !asker || !subject || !(await mayActFor(db, asker, subject))) throw new LinkRefused({});
  return { request, asker, subject };
}

/** What a link asks its user for. Throws IMPERSONATION_LINK_REFUSED. */
export async function lookAtRequest(ctx: Context, userId: number, token: string) {
  const { request, asker, subject } = await requireRequest(ctx, ctx.reads, userId, token);
  const { reason, expires_at } = request;
  return { name: asker.name, email: asker.email, company_name: subject.company_name, reason, expires_at: wireTime(expires_at) };
}

async function setLimit(trx: Trx, { actor, origin }: Caller, action: string, { at, until }: { at: number; until: number | null }) {
  const before = await trx
    .selectFrom('users')
    .select(['username', 'impersonation_until'])
    .where('id', '=', actor.userId)
    .executeTakeFirst();
  if (!before) throw new NotFound({});
  await trx.updateTable('users').set({ impersonation_until: until }).where('id', '=', actor.userId).execute();
  const entry = { action, entity: 'user', entityId: actor.userId, entityName: before.username, companyId: actor.companyId };
  const was = { impersonation_until: before.impersonation_until };
  await writeAudit(trx, { actor, origin, at }, [{ ...entry, before: was, after: { impersonation_until: until } }]);
}

/** Agrees by the token of a link, for some hours. The link is used up. Throws IMPERSONATION_LINK_REFUSED. */
export async function confirmRequest(ctx: Context, caller: Caller, { token, hours }: { token: string; hours: number }): Promise<void> {
  const at = ctx.clock.now();
  const until = at + hours * HOUR;
  await inTransaction(ctx.db, async (trx) => {
    const { request } = await requireRequest(ctx, trx, caller.actor.userId, token);
    const { numUpdatedRows } = await trx
      .updateTable('impersonation_requests')
      .set({ confirmed_at: at, expires_at: until })
      .where('id', '=', request.id)
      .where('confirmed_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw new LinkRefused({});
    await setLimit(trx, caller, 'impersonation.confirm', { at, until });
  });
}

/** Sets until when those whom the user has said yes to may act; it ends what is running sooner, and makes nothing that runs last longer. */
export async function allowAccess(ctx: Context, caller: Caller, hours: number): Promise<void> {
  const at = ctx.clock.now();
  const until = at + hours * HOUR;
  await inTransaction(ctx.db, async (trx) => {
    await setLimit(trx, caller, 'impersonation.allow', { at, until });
    await trx
      .updateTable('impersonation_requests')
      .set({ expires_at: until })
      .where('user_id', '=', caller.actor.userId)
      .where('confirmed_at', 'is not', null)
      .where('expires_at', '>', until)
      .execute();
    for (const column of ['absolute_expires_at', 'access_expires_at', 'idle_expires_at'] as const)
      await trx
        .updateTable('sessions')
        .set({ [column]: until })
        .where('on_behalf_of', '=', caller.actor.userId)
        .where(column, '>', until)
        .execute();
  });
}

/** Takes back all that a user has agreed to, and ends what runs on their behalf, on the sockets too. */
export async function endConsentOf(ctx: Context, trx: Trx, userId: number): Promise<void> {
  await trx.updateTable('users').set({ impersonation_until: null }).where('id', '=', userId).execute();
  await trx.deleteFrom('impersonation_requests').where('user_id', '=', userId).execute();
  const ended = await endActingFor(trx, userId, ctx.clock.now());
  await logExpired(trx, ctx.clock.now());
  afterCommit(trx, () => {
    // The impersonator follows this channel too, and is signed out by this event.
    ctx.live.publish(`private-notifications.${userId}`, 'SessionEnded', { reason: 'consent-ended' });
    for (const sessionId of ended) ctx.live.closeSockets({ sessionId });
  });
}

/** Takes the own consent back; see `endConsentOf`. */
export async function revokeAccess(ctx: Context, caller: Caller): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await setLimit(trx, caller, 'impersonation.revoke', { at: ctx.clock.now(), until: null });
    await endConsentOf(ctx, trx, caller.actor.userId);
  });
}
