import type { Context } from '../../context.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';

/** Takes an address off the suppression lists that the actor sees, so that mail is tried again. Throws NOT_FOUND at `email`. */
export async function removeSuppressedEmail(ctx: Context, { actor, origin }: Caller, email: string): Promise<void> {
  const address = email.trim().toLowerCase();
  await inTransaction(ctx.db, async (trx) => {
    const rows = await trx
      .deleteFrom('suppressed_emails')
      .where('email', '=', address)
      .where(isVisible(actor, 'suppressed_emails'))
      .returningAll()
      .execute();
    if (rows.length === 0) throw new NotFound({}, { source: 'email' });
    const entries = rows.map((row) => ({
      action: 'suppressed-emails.remove',
      entity: 'suppressed_email',
      entityId: null,
      entityName: row.email,
      companyId: row.company_id,
      before: { ...row },
      after: null,
    }));
    await writeAudit(trx, { actor, origin, at: ctx.clock.now() }, entries);
  });
}
