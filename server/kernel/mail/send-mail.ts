import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Delivery } from '../../edges/smtp/types.ts';
import { HOUR, MINUTE } from '../clock.ts';
import { inTransaction } from '../db/database.ts';
import { queueNotifications } from '../notifications.ts';
import { openSealed, sealText } from '../seal.ts';
import { isMailKind, mailKinds } from './mail-kinds.ts';
import { mailerFor } from './mailer-for.ts';
import type { KnownMail } from './write-mail.ts';

/**
 * What became of a mail. waiting: the mail server could not take it, and is asked again · suppressed: the address refused mail of this company before;
 * an administrator has to take it off the list first · kept: there is no mail server, so it lies in the mailbox of this installation.
 */
export type Outcome = 'sent' | 'refused' | 'failed' | 'waiting' | 'suppressed' | 'kept';

type MailContext = Pick<Context, 'mail' | 'openMailServer' | 'config' | 'db' | 'clock' | 'log' | 'secretKey'>;
type LogRow = Row<'mail_log'>;
/** What is kept of a mail that has a file with it: beside its text. A text begins with no control character. */
const WITH_FILE = '\u0001';

function packed({ text, attachment }: Pick<KnownMail, 'text' | 'attachment'>): string {
  return attachment ? `${WITH_FILE}${JSON.stringify({ text, attachment })}` : text;
}

function unpacked(kept: string): Pick<KnownMail, 'text' | 'attachment'> {
  return kept.startsWith(WITH_FILE) ? (JSON.parse(kept.slice(1)) as Pick<KnownMail, 'text' | 'attachment'>) : { text: kept };
}

type Result = Pick<LogRow, 'status' | 'error' | 'next_try_at' | 'sealed_text'>;

// All within the hour that links by mail live.
const PAUSES_MS = [1, 5, 15, 30].map((minutes) => minutes * MINUTE);
/** Mails that do not lose their worth are tried each hour after that, for three days. */
const PATIENT_PAUSES = 72;
/** How long a process that died while it sent a mail keeps others from it. */
const CLAIM_MS = 5 * MINUTE;
const MAILS_PER_TURN = 50;
/** What the text of a mail is sealed for. */
export const MAIL_PURPOSE = 'mail';

const nothingMore = { next_try_at: null, sealed_text: null };

function resultOf(mail: { kind: string; sealed: string; tries: number }, delivery: Delivery, at: number): Result {
  if (delivery.kind === 'sent') return { status: 'sent', error: null, ...nothingMore };
  const error = delivery.reason;
  if (delivery.kind === 'refused') return { status: 'bounced', error, ...nothingMore };
  const isPatient = isMailKind(mail.kind) && mailKinds[mail.kind].isPatient === true;
  const pause = PAUSES_MS[mail.tries - 1] ?? (isPatient && mail.tries <= PAUSES_MS.length + PATIENT_PAUSES ? HOUR : undefined);
  // A person who waits for a code learns at once that it was not sent; later it would be worth nothing.
  if (pause === undefined || mail.kind === 'code') return { status: 'failed', error, ...nothingMore };
  return { status: 'waiting', error, next_try_at: at + pause, sealed_text: mail.sealed };
}

async function isSuppressed(db: Db, companyId: number, email: string): Promise<boolean> {
  const known = await db
    .selectFrom('suppressed_emails')
    .select('id')
    .where('email', '=', email)
    .where('company_id', '=', companyId)
    .executeTakeFirst();
  return known !== undefined;
}

async function suppress(trx: Trx, mail: { email: string; company_id: number }, reason: string, at: number): Promise<void> {
  const { email, company_id: companyId } = mail;
  await trx
    .insertInto('suppressed_emails')
    .values({ email, company_id: companyId, reason, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await queueNotifications(trx, at, [{ kind: 'mailBounced', companyId, subjectId: null, subjectName: email, details: { reason } }]);
}

function outcomeOf(status: LogRow['status']): Outcome {
  return status === 'bounced' ? 'refused' : status;
}

/**
 * Sends a mail for a company, unless its address refused one before, and logs what became of it. A mail server that refuses the address for good
 * (5xx at RCPT) puts it on the company's suppression list; one that cannot take it now is asked again later. Never throws for what the mail server
 * says. The text is kept, sealed, only while the mail waits or lies in the mailbox. `serverId`: the mail server that was chosen for it.
 */
export async function sendMail(ctx: MailContext, companyId: number, mail: KnownMail, serverId?: number | null): Promise<Outcome> {
  const carrier = await mailerFor(ctx, companyId, { kind: mail.kind, serverId });
  const carried = { server_id: carrier?.server?.id ?? null, server: carrier?.server?.host ?? null };
  const row = { company_id: companyId, email: mail.to, subject: mail.subject, kind: mail.kind };
  const sealed = sealText(ctx.secretKey, MAIL_PURPOSE, packed(mail));
  const log = async (db: Db, result: Result, tries: number): Promise<Outcome> => {
    await db
      .insertInto('mail_log')
      .values({ ...row, ...carried, at: ctx.clock.now(), tries, ...result })
      .execute();
    return outcomeOf(result.status);
  };
  if (!carrier) return log(ctx.db, { status: 'kept', error: null, next_try_at: null, sealed_text: sealed }, 0);
  if (await isSuppressed(ctx.db, companyId, mail.to)) return log(ctx.db, { status: 'suppressed', error: null, ...nothingMore }, 0);
  const delivery = await carrier.mailer.send(mail);
  if (delivery.kind !== 'sent') ctx.log.warn({ delivery }, 'a mail was not taken by the mail server');
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    if (delivery.kind === 'refused') await suppress(trx, row, delivery.reason, at);
    return log(trx, resultOf({ kind: mail.kind, sealed, tries: 1 }, delivery, at), 1);
  });
}

/** Takes a waiting mail for this process; false when another has it. */
async function claim(ctx: MailContext, row: LogRow): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('mail_log')
    .set({ next_try_at: ctx.clock.now() + CLAIM_MS })
    .where('id', '=', row.id)
    .where('next_try_at', '=', row.next_try_at)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

async function retry(ctx: MailContext, row: LogRow, sealed: string): Promise<void> {
  const { id, kind, email, subject } = row;
  const set = (db: Db, result: Result & { tries: number } & Partial<Pick<LogRow, 'server_id' | 'server'>>) =>
    db.updateTable('mail_log').set(result).where('id', '=', id).execute();
  if (await isSuppressed(ctx.db, row.company_id, email)) {
    await set(ctx.db, { status: 'suppressed', error: row.error, tries: row.tries, ...nothingMore });
    return;
  }
  const carrier = await mailerFor(ctx, row.company_id, { kind, serverId: row.server_id });
  if (!carrier) {
    await set(ctx.db, { status: 'kept', error: null, tries: row.tries, next_try_at: null, sealed_text: sealed });
    return;
  }
  const delivery = await carrier.mailer.send({ to: email, subject, ...unpacked(openSealed(ctx.secretKey, MAIL_PURPOSE, sealed)) });
  const at = ctx.clock.now();
  const tries = row.tries + 1;
  await inTransaction(ctx.db, async (trx) => {
    if (delivery.kind === 'refused') await suppress(trx, row, delivery.reason, at);
    const carried = { server_id: carrier.server?.id ?? null, server: carrier.server?.host ?? null };
    await set(trx, { tries, ...carried, ...resultOf({ kind, sealed, tries }, delivery, at) });
  });
}

/** Asks the mail server again to take the mails whose time has come. */
export async function retryMails(ctx: MailContext): Promise<void> {
  const due = await ctx.db
    .selectFrom('mail_log')
    .selectAll()
    .where('next_try_at', '<=', ctx.clock.now())
    .orderBy('next_try_at')
    .limit(MAILS_PER_TURN)
    .execute();
  for (const row of due) if (row.sealed_text !== null && (await claim(ctx, row))) await retry(ctx, row, row.sealed_text);
}

/** The text of a mail that is kept here; undefined when it is no more. Throws Error when it was sealed with another key. */
export function textOfKept(ctx: Pick<Context, 'secretKey'>, row: Pick<LogRow, 'sealed_text'>): string | undefined {
  return row.sealed_text === null ? undefined : unpacked(openSealed(ctx.secretKey, MAIL_PURPOSE, row.sealed_text)).text;
}
