import type { Context } from '../../context.ts';
import type { Mailer } from '../../edges/smtp/types.ts';
import type { Caller } from '../../kernel/actor.ts';
import { ok } from '../../kernel/answer.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { defineError } from '../../kernel/errors.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { languageOfCall, type Language } from '../../kernel/language.ts';
import { writeMail } from '../../kernel/mail/write-mail.ts';
import type { App } from '../../kernel/route.ts';

/** Each is a call to the outside. */
export const TESTS_PER_MINUTE = 10;
const MailNotSetUp = defineError('MAIL_NOT_SET_UP');

/** What a mail server says to a mail that goes out now. */
export interface MailTestResult {
  is_sent: boolean;
  answer: string;
}

interface MailTest {
  email: string;
  language: Language;
  mailer: Mailer | undefined;
  /** Of a server of a company. */
  server?: { id: number; host: string };
  /** The company that the mail is logged for. */
  companyId: number;
}

/** Sends a mail at once, also to an address that refused one before, and logs it. Throws MAIL_NOT_SET_UP. */
export async function testMail(ctx: Context, { actor, origin }: Caller, test: MailTest): Promise<MailTestResult> {
  const { email, language, mailer, companyId, server } = test;
  if (!mailer) throw new MailNotSetUp({});
  const mail = await writeMail(ctx, companyId, { to: email.trim().toLowerCase(), kind: 'test', language, values: { name: actor.name } });
  const delivery = await mailer.send(mail);
  const isSent = delivery.kind === 'sent';
  const answer = isSent ? delivery.answer : delivery.reason;
  const at = ctx.clock.now();
  const row = { email: mail.to, subject: mail.subject, status: isSent ? 'sent' : 'failed', error: isSent ? null : answer } as const;
  await inTransaction(ctx.db, async (trx) => {
    await trx
      .insertInto('mail_log')
      .values({
        ...row,
        server_id: server?.id ?? null,
        server: server?.host ?? null,
        at,
        company_id: companyId,
        kind: mail.kind,
        tries: 1,
        next_try_at: null,
        sealed_text: null,
      })
      .execute();
    await writeAudit(trx, { actor, origin, at }, [
      { action: 'mail.test', entity: 'mail', entityId: null, entityName: mail.to, companyId, before: null, after: row },
    ]);
  });
  return { is_sent: isSent, answer };
}

/** Registers the test of the mail server. */
export function registerMailTest(app: App): void {
  formRoute(
    app,
    'mail/test',
    async ({ ctx, actor, origin, body, request }) =>
      ok(
        await testMail(
          ctx,
          { actor, origin },
          { email: body.email, language: languageOfCall(request.headers), mailer: ctx.mail, companyId: actor.companyId },
        ),
      ),
    { ratePerMinute: TESTS_PER_MINUTE },
  );
}
