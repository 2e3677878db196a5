import type { Context } from '../../context.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { HOUR } from '../../kernel/clock.ts';
import { LANGUAGES } from '../../kernel/language.ts';
import { sendMail } from '../../kernel/mail/send-mail.ts';
import { writeMail } from '../../kernel/mail/write-mail.ts';
import type { PdfThread } from '../../kernel/pdf/pdf-thread.ts';
import { actorOfPlan } from '../../domain/plans/plan-devices.ts';
import { readContent } from './content.ts';
import { reportDocument } from './document.ts';

const AT_ONCE = 10;
/** A report that cannot be written now may be, once the machine has more memory. */
const TRY_FOR_MS = HOUR;

/** Reports that are made and still have to be mailed. */
function findDue(ctx: Context) {
  return ctx.db
    .selectFrom('generated_reports')
    .innerJoin('reports', 'reports.id', 'generated_reports.report_id')
    .innerJoin('companies', 'companies.id', 'generated_reports.company_id')
    .innerJoin('jobs', 'jobs.id', 'generated_reports.job_id')
    .select(['generated_reports.id', 'generated_reports.company_id', 'generated_reports.mail_to', 'generated_reports.mail_language'])
    .select('generated_reports.smtp_config_id')
    .select(['generated_reports.created_at', 'reports.created_by', 'reports.actor_company_id', 'companies.name as company_name'])
    .where('generated_reports.mailed_at', 'is', null)
    .where('generated_reports.mail_to', '<>', '[]')
    .where('jobs.state', '=', 'finished')
    .orderBy('generated_reports.id')
    .limit(AT_ONCE)
    .execute();
}

type Due = Awaited<ReturnType<typeof findDue>>[number];

/** The mails of a report, one for each address, with its PDF. Throws when the report takes too long or too much memory. */
async function writeMails(ctx: Context, thread: PdfThread, due: Due, actor: Actor) {
  const report = await readContent(ctx, actor, due.id);
  const language = LANGUAGES.find((one) => one === due.mail_language) ?? 'en';
  const pdf = await thread.draw(reportDocument(report, language, due.created_at));
  const attachment = { name: `report-${report.start_date}.pdf`, type: 'application/pdf', content: Buffer.from(pdf).toString('base64') };
  const values = {
    name: report.name,
    company: due.company_name,
    from: report.start_date,
    to: report.end_date,
    count: String(report.devices_count),
    url: `${ctx.publicUrl()}/report/generated/${due.id}`,
  };
  const mails = [];
  for (const to of JSON.parse(due.mail_to) as string[])
    mails.push({ ...(await writeMail(ctx, due.company_id, { to, kind: 'report', language, values })), attachment });
  return mails;
}

/**
 * Mails reports with their PDF, as the person who set up the template last sees them now; without their right to, none is mailed. A report is taken before its
 * mails are made, so that two processes mail it once; one that cannot be written is tried again each minute for an hour.
 */
export async function mailReports(ctx: Context, thread: PdfThread): Promise<void> {
  for (const due of await findDue(ctx)) {
    const { numUpdatedRows } = await ctx.db
      .updateTable('generated_reports')
      .set({ mailed_at: ctx.clock.now() })
      .where('id', '=', due.id)
      .where('mailed_at', 'is', null)
      .executeTakeFirst();
    const actor = numUpdatedRows > 0n ? await actorOfPlan(ctx, due) : undefined;
    if (!actor || !can(actor, 'view_reports')) continue;
    const mails = await writeMails(ctx, thread, due, actor).catch((error: unknown) => {
      ctx.log.error({ err: error, report: due.id }, 'a report could not be written for its mail');
    });
    if (mails === undefined && ctx.clock.now() < due.created_at + TRY_FOR_MS)
      await ctx.db.updateTable('generated_reports').set({ mailed_at: null }).where('id', '=', due.id).execute();
    for (const mail of mails ?? []) await sendMail(ctx, due.company_id, mail, due.smtp_config_id);
  }
}
