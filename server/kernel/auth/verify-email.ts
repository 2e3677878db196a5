import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { inTransaction } from '../db/database.ts';
import type { Language } from '../language.ts';
import { sendMail, type Outcome } from '../mail/send-mail.ts';
import { writeMail } from '../mail/write-mail.ts';
import { makeLink } from './links.ts';

/** Mails a person the link that confirms the address they have. */
export async function mailVerification(
  ctx: Context,
  user: Pick<Row<'users'>, 'id' | 'email' | 'company_id'>,
  language: Language,
): Promise<Outcome> {
  const token = await inTransaction(ctx.db, (trx) => makeLink(ctx, trx, { kind: 'email', userId: user.id, email: user.email }));
  const url = `${ctx.publicUrl()}/confirm-email#${token}`;
  return sendMail(
    ctx,
    user.company_id,
    await writeMail(ctx, user.company_id, { to: user.email, kind: 'confirm-email', language, values: { url } }),
  );
}
