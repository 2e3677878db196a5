import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { CHALLENGE_MS } from '../../kernel/auth/challenges.ts';
import type { Site } from '../../kernel/auth/passkeys.ts';
import { ConfirmationFailed, SessionRequired } from '../../kernel/auth/errors.ts';
import {
  findFactors,
  findSecondFactor,
  hashCode,
  makeMailCode,
  makeTotp,
  renewRecoveryCodes,
  spendTotpCode,
  type SecondFactor,
} from '../../kernel/auth/second-factors.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import type { Language } from '../../kernel/language.ts';
import { sendMail } from '../../kernel/mail/send-mail.ts';
import { writeMail } from '../../kernel/mail/write-mail.ts';
import { dropCodesOfLast, firstRecoveryCodes } from './recovery.ts';
import { presentPasskey, type PasskeyView } from './passkeys.ts';
import { MailNotSent, MailNotSetUp, MfaNotOn, MfaOnAlready } from './errors.ts';

export type MfaMethod = SecondFactor['method'];

/** Codes that may be tried before setting up has to begin again. */
const MAX_ATTEMPTS = 5;

export interface MfaState {
  /** What is on; null without a second factor. */
  method: MfaMethod | null;
  recovery_codes_left: number;
  /** What can be set up on this server. */
  methods: (MfaMethod | 'passkey')[];
  passkeys: PasskeyView[];
}

/** What a person begins with: for an app the secret, as text and as the address in a QR code; for mail nothing, a code is on its way. */
export type Enrolment = { method: 'totp'; secret: string; uri: string } | { method: 'email' };

/** Notes a change of the actor's second factors. */
export function auditMfa(trx: Trx, { actor, origin }: Caller, at: number, action: string): Promise<void> {
  return writeAudit(trx, { actor, origin, at }, [
    { action, entity: 'user', entityId: actor.userId, entityName: actor.name, companyId: actor.companyId, before: null, after: null },
  ]);
}

/** What the actor has of second factors, and may have. */
export async function getMfa(ctx: Context, actor: Actor, site: Site | undefined): Promise<MfaState> {
  const factors = await findFactors(ctx.reads, actor.userId);
  const codes = await ctx.reads.selectFrom('recovery_codes').select('code_hash').where('user_id', '=', actor.userId).execute();
  return {
    method: factors?.byCode?.method ?? null,
    recovery_codes_left: codes.length,
    methods: ['totp', ...(ctx.mail ? (['email'] as const) : []), ...(site ? (['passkey'] as const) : [])],
    passkeys: (factors?.passkeys ?? []).map(presentPasskey),
  };
}

async function requireOff(ctx: Context, actor: Actor): Promise<void> {
  if (await findSecondFactor(ctx.reads, actor.userId)) throw new MfaOnAlready({});
}

/** Begins to set up a second factor; it counts once a code has confirmed it. Throws MFA_ON_ALREADY, MAIL_NOT_SET_UP at `method`, MAIL_NOT_SENT. */
export async function beginEnrolment(ctx: Context, actor: Actor, method: MfaMethod, language: Language): Promise<Enrolment> {
  await requireOff(ctx, actor);
  if (method === 'email' && !ctx.mail) throw new MailNotSetUp({}, { source: 'method' });
  const totp = method === 'totp' ? makeTotp(ctx.secretKey, { id: actor.userId, email: actor.email }) : undefined;
  const code = makeMailCode();
  await inTransaction(ctx.db, async (trx) => {
    await trx.deleteFrom('second_factors').where('user_id', '=', actor.userId).where('confirmed_at', 'is', null).execute();
    await trx
      .insertInto('second_factors')
      .values({
        user_id: actor.userId,
        method,
        sealed_secret: totp?.sealed ?? null,
        last_step: null,
        code_hash: totp ? null : hashCode(ctx, `enrol ${actor.userId}`, code),
        attempts: 0,
        confirmed_at: null,
        created_at: ctx.clock.now(),
      })
      .execute();
  });
  if (totp) return { method: 'totp', secret: totp.secret, uri: totp.uri };
  const outcome = await sendMail(
    ctx,
    actor.companyId,
    await writeMail(ctx, actor.companyId, { to: actor.email, kind: 'code', language, values: { code } }),
  );
  if (outcome !== 'sent') throw new MailNotSent({});
  return { method: 'email' };
}

/** Turns on the second factor whose setup was started within the last ten minutes. Answers the recovery codes that come with the first factor. Throws MFA_NOT_ON, CONFIRMATION_FAILED at `code`. */
export async function confirmEnrolment(ctx: Context, caller: Caller, code: string): Promise<string[]> {
  const { actor } = caller;
  if (actor.sessionId === undefined) throw new SessionRequired({});
  const at = ctx.clock.now();
  const started = await ctx.db
    .updateTable('second_factors')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('user_id', '=', actor.userId)
    .where('confirmed_at', 'is', null)
    .where('attempts', '<', MAX_ATTEMPTS)
    .where('created_at', '>', at - CHALLENGE_MS)
    .returningAll()
    .executeTakeFirst();
  if (!started) throw new MfaNotOn({});
  const isRight =
    started.method === 'totp'
      ? await spendTotpCode(ctx, ctx.db, started, code.trim())
      : started.code_hash === hashCode(ctx, `enrol ${actor.userId}`, code.trim());
  if (!isRight) throw new ConfirmationFailed({}, { source: 'code' });
  return inTransaction(ctx.db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('second_factors')
      .set({ confirmed_at: at, code_hash: null })
      .where('user_id', '=', actor.userId)
      .where('confirmed_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw new MfaOnAlready({});
    await auditMfa(trx, caller, at, 'account.mfa-on');
    return firstRecoveryCodes(ctx, trx, actor.userId);
  });
}

/** Turns the actor's second factor off. Throws MFA_NOT_ON, and MFA_KEPT where the company requires one. */
export async function turnOff(ctx: Context, caller: Caller): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    if (!(await findSecondFactor(trx, caller.actor.userId))) throw new MfaNotOn({});
    await trx.deleteFrom('second_factors').where('user_id', '=', caller.actor.userId).execute();
    await dropCodesOfLast(trx, caller.actor);
    await auditMfa(trx, caller, ctx.clock.now(), 'account.mfa-off');
  });
}

/** Gives the actor ten new recovery codes in place of the old ones. Throws MFA_NOT_ON. */
export async function newRecoveryCodes(ctx: Context, caller: Caller): Promise<string[]> {
  return inTransaction(ctx.db, async (trx) => {
    if (!(await findFactors(trx, caller.actor.userId))) throw new MfaNotOn({});
    await auditMfa(trx, caller, ctx.clock.now(), 'account.recovery-codes');
    return renewRecoveryCodes(ctx, trx, caller.actor.userId);
  });
}
