import type { Context } from '../../context.ts';
import type { Terms } from '../../config.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { TermsNotAccepted } from '../../kernel/auth/errors.ts';
import { mailVerification } from '../../kernel/auth/verify-email.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { Language } from '../../kernel/language.ts';
import { MailNotSent } from './errors.ts';
import { auditOwn, requireOwnUser } from './own-user.ts';

/** Mails the link again that confirms the address of the person who calls; nothing happens when it is confirmed. Throws MAIL_NOT_SENT. */
export async function resendVerification(
  ctx: Context,
  actor: Actor,
  { language, mayMail }: { language: Language; mayMail(email: string): boolean },
): Promise<void> {
  const user = await requireOwnUser(ctx.reads, actor);
  if (user.email_unverified === 0) return;
  const outcome = mayMail(user.email) ? await mailVerification(ctx, user, language) : 'failed';
  if (outcome !== 'sent' && outcome !== 'kept') throw new MailNotSent({});
}

/** The terms of service. Throws NOT_FOUND where there are none. */
export function getTerms({ config }: Pick<Context, 'config'>): Terms {
  if (!config.terms) throw new NotFound({});
  return config.terms;
}

/** Notes that the person who calls accepts the terms, in the version that was read. Throws NOT_FOUND, and TERMS_NOT_ACCEPTED when there is a newer one. */
export async function acceptTerms(ctx: Context, { actor, origin }: Caller, version: string | undefined): Promise<void> {
  const terms = getTerms(ctx);
  if (version !== undefined && version !== terms.version) throw new TermsNotAccepted({});
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireOwnUser(trx, actor);
    const changes = { accepted_terms: terms.version };
    await trx.updateTable('users').set(changes).where('id', '=', actor.userId).execute();
    await auditOwn(trx, { actor, origin, at }, { action: 'account.terms', before, after: { ...before, ...changes } });
  });
}
