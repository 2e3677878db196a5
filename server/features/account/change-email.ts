import type { Context } from '../../context.ts';
import type { Caller, Origin } from '../../kernel/actor.ts';
import { LinkRefused } from '../../kernel/auth/errors.ts';
import { dropLinks, makeLink, spendLink } from '../../kernel/auth/links.ts';
import { findStartCompany } from '../../kernel/auth/memberships.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import type { Language } from '../../kernel/language.ts';
import { sendMail } from '../../kernel/mail/send-mail.ts';
import { writeMail } from '../../kernel/mail/write-mail.ts';
import { refuseDuplicate } from '../../kernel/unique-conflicts.ts';
import { EmailTaken, SameEmail } from './errors.ts';
import { asOwnActor, auditOwn, requireOwnUser } from './own-user.ts';

/**
 * Begins to change the address of the person who calls: a link goes to the new one, and a notice to the old one. An address that somebody else
 * has gets no mail; the answer does not reveal it. Throws SAME_EMAIL at `email`.
 */
export async function askForEmail(ctx: Context, { actor, origin }: Caller, input: { email: string; language: Language }): Promise<void> {
  const email = input.email.trim().toLowerCase();
  if (email === actor.email) throw new SameEmail({}, { source: 'email' });
  const at = ctx.clock.now();
  const token = await inTransaction(ctx.db, async (trx) => {
    const user = await requireOwnUser(trx, actor);
    await auditOwn(trx, { actor, origin, at }, { action: 'account.email-asked', before: user, after: { ...user, email } });
    const other = await trx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
    return other ? undefined : makeLink(ctx, trx, { kind: 'email', userId: actor.userId, email });
  });
  if (token !== undefined) {
    const url = `${ctx.publicUrl()}/confirm-email#${token}`;
    await sendMail(
      ctx,
      actor.companyId,
      await writeMail(ctx, actor.companyId, { to: email, kind: 'confirm-email', language: input.language, values: { url } }),
    );
  }
  await sendMail(
    ctx,
    actor.companyId,
    await writeMail(ctx, actor.companyId, { to: actor.email, kind: 'email-asked', language: input.language, values: { email } }),
  );
}

/** Gives a person the address that a mailed link confirms, and notifies the old one if it was another. Throws LINK_REFUSED and EMAIL_TAKEN. */
export async function confirmEmail(
  ctx: Context,
  { token, language }: { token: string; language: Language },
  origin: Origin,
): Promise<void> {
  const at = ctx.clock.now();
  const change = async () =>
    inTransaction(ctx.db, async (trx) => {
      const link = await spendLink(ctx, trx, 'email', token);
      const before = await requireOwnUser(trx, { userId: link.user_id });
      if ((await findStartCompany(trx, before.id)) === undefined) throw new LinkRefused({});
      const changes = { email: link.email, email_unverified: 0 as const, updated_at: at };
      await trx.updateTable('users').set(changes).where('id', '=', before.id).execute();
      await dropLinks(trx, before.id);
      await auditOwn(trx, { actor: asOwnActor(before), origin, at }, { action: 'account.email', before, after: { ...before, ...changes } });
      return { before, email: link.email };
    });
  const { before, email } = await refuseDuplicate(change, (cause) => new EmailTaken({}, { cause }));
  // Somebody who only shows that the address is right has no old one.
  if (before.email === email) return;
  await sendMail(
    ctx,
    before.company_id,
    await writeMail(ctx, before.company_id, { to: before.email, kind: 'email-changed', language, values: { email } }),
  );
}
