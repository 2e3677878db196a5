import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import { inTransaction } from '../db/database.ts';
import { addNotices } from '../notices/add-notices.ts';
import type { Delivery, Mail } from '../../edges/smtp/types.ts';

/** suppressed: the address refused mail of this company before; an administrator has to take it off the list first. */
export type Outcome = Delivery['kind'] | 'suppressed' | 'no-mail-server';

type Entry = Pick<Row<'mail_log'>, 'status' | 'error'>;

function entryOf(delivery: Delivery): Entry {
  if (delivery.kind === 'sent') return { status: 'sent', error: null };
  return { status: delivery.kind === 'refused' ? 'bounced' : 'failed', error: delivery.reason };
}

/** Keeps who was written to and why, never what the mail says: that may hold a code. */
async function logMail(db: Db, at: number, companyId: number, mail: Mail, entry: Entry): Promise<void> {
  await db
    .insertInto('mail_log')
    .values({ at, company_id: companyId, email: mail.to, subject: mail.subject, ...entry })
    .execute();
}

/**
 * Sends a mail for a company, unless its address refused one before. A mail server that refuses the address for good (5xx at RCPT) puts it
 * on the company's suppression list. Never throws for what the mail server says; that is logged.
 */
export async function sendMail(ctx: Pick<Context, 'mail' | 'db' | 'clock' | 'log'>, companyId: number, mail: Mail): Promise<Outcome> {
  if (!ctx.mail) return 'no-mail-server';
  const known = await ctx.db
    .selectFrom('suppressed_emails')
    .select('email')
    .where('email', '=', mail.to)
    .where('company_id', '=', companyId)
    .executeTakeFirst();
  if (known) {
    await logMail(ctx.db, ctx.clock.now(), companyId, mail, { status: 'suppressed', error: null });
    return 'suppressed';
  }
  const delivery = await ctx.mail.send(mail);
  if (delivery.kind !== 'sent') ctx.log.warn({ delivery }, 'a mail was not taken by the mail server');
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    await logMail(trx, at, companyId, mail, entryOf(delivery));
    if (delivery.kind === 'refused') {
      const { reason } = delivery;
      await trx
        .insertInto('suppressed_emails')
        .values({ email: mail.to, company_id: companyId, reason, created_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await addNotices(trx, at, [{ kind: 'mailBounced', companyId, subjectId: null, subjectName: mail.to, details: { reason } }]);
    }
  });
  return delivery.kind;
}
