import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor, Caller, Origin } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { AppError, InvalidFields } from '../../kernel/errors.ts';
import type { StartedJob } from '../../domain/jobs/types.ts';
import { actorOfPlan, devicesOfPlan } from '../../domain/plans/plan-devices.ts';
import { keepAudit } from './audit-extract.ts';
import { variablesOf } from './collected.ts';
import { removeGenerated } from './generated.ts';
import { periodOf } from './periods.ts';
import { dueAfter, requireTemplate } from './templates.ts';
import { REPORT_KIND } from './types.ts';

const ORIGIN: Origin = { ip: '', requestId: 'report', userAgent: '' };
const AT_ONCE = 20;

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Writes the head of a report and starts the job that fills it. Throws INVALID_FIELD where the template has no device. */
async function make(ctx: Context, { actor, origin }: Caller, template: Row<'reports'>): Promise<StartedJob> {
  const at = ctx.clock.now();
  const { start, end } = periodOf(template, at);
  const deviceIds = await devicesOfPlan(ctx, actor, template);
  if (deviceIds.length === 0)
    throw new InvalidFields([{ source: 'apply_list', message: 'No devices to report on.', params: { key: 'reports.no_devices' } }]);
  const variables = await variablesOf(ctx.reads, actor, JSON.parse(template.monitoring_templates) as number[]);
  const report = await inTransaction(ctx.db, async (trx) => {
    const row = await trx
      .insertInto('generated_reports')
      .values({
        company_id: template.company_id,
        report_id: template.id,
        report_name: template.name,
        name: `${template.name} ${dayText(start)} – ${dayText(end - 1)}`,
        description: template.description,
        type: template.type,
        period: template.period,
        parameters: template.parameters,
        variables: JSON.stringify(variables),
        starts_at: start,
        ends_at: end,
        job_id: null,
        mail_to: template.mail_to,
        mail_language: template.mail_language,
        smtp_config_id: template.smtp_config_id,
        mailed_at: null,
        user_name: actor.name,
        created_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    if ((JSON.parse(template.parameters) as string[]).includes('audit'))
      await keepAudit(trx, actor, { generatedId: row.id, companyId: template.company_id, period: { start, end } });
    await trx.updateTable('reports').set({ generated_at: at }).where('id', '=', template.id).execute();
    const entry = { entity: 'generated_report', entityId: row.id, entityName: row.name, companyId: row.company_id };
    await writeAudit(trx, { actor, origin, at }, [{ ...entry, action: 'reports.generate', before: null, after: { ...row } }]);
    return row;
  });
  try {
    return await ctx.jobs.create(actor, origin, {
      kind: REPORT_KIND,
      input: { generated_id: report.id },
      target: { device_id: deviceIds },
    });
  } catch (error) {
    await removeGenerated(ctx, { actor, origin }, report.id);
    throw error;
  }
}

/** Makes a report of a template now. Throws NOT_FOUND, INVALID_FIELD. */
export async function generate(ctx: Context, caller: Caller, id: number): Promise<StartedJob> {
  return make(ctx, caller, await requireTemplate(ctx.reads, caller.actor, id));
}

/** Reports are made with the rights of the person who changed the template last; without their right to, none is made. */
async function actorFor(ctx: Context, template: Row<'reports'>): Promise<Actor | undefined> {
  const actor = await actorOfPlan(ctx, template);
  return actor && (actor.permissions.has('super_admin') || actor.permissions.has('create_reports')) ? actor : undefined;
}

/** Makes the periodic reports that are due. A template is taken before its report is made, so that two processes make one. */
export async function generateDue(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const due = await ctx.db
    .selectFrom('reports')
    .innerJoin('companies', 'companies.id', 'reports.company_id')
    .selectAll('reports')
    .where('reports.next_at', '<=', now)
    .where('companies.path', '>=', '/')
    .orderBy('reports.next_at')
    .limit(AT_ONCE)
    .execute();
  for (const template of due) {
    const { numUpdatedRows } = await ctx.db
      .updateTable('reports')
      .set({ next_at: dueAfter(template, now) })
      .where('id', '=', template.id)
      .where('next_at', '=', template.next_at)
      .executeTakeFirst();
    const actor = numUpdatedRows > 0n ? await actorFor(ctx, template) : undefined;
    if (!actor) continue;
    try {
      await make(ctx, { actor, origin: ORIGIN }, template);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      ctx.log.warn({ report: template.id, code: error.items[0]?.code }, 'a periodic report could not be made');
    }
  }
}
