import type { Context } from '../../context.ts';
import { DAY, HOUR, SECOND } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { actorOfPlan } from '../../domain/plans/plan-devices.ts';
import { isPresentPath } from '../../kernel/tenancy.ts';
import { readJob } from './configure.ts';
import { COMPARE_KIND } from './configure-kinds.ts';
import { MOST_FOLLOWERS, visibleRows } from './drift.ts';
import { nextNight } from './templates.ts';

const ORIGIN = { ip: '', requestId: 'configuration-drift', userAgent: '' };
const TEMPLATES_AT_ONCE = 20;

/** Reads the devices of templates whose night has come; what they answer is compared. */
export async function runDueComparisons(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const due = await ctx.db
    .selectFrom('configuration_templates')
    .innerJoin('companies', 'companies.id', 'configuration_templates.company_id')
    .selectAll('configuration_templates')
    .where('next_at', '<=', now)
    .where(isPresentPath('companies.path'))
    .orderBy('next_at')
    .limit(TEMPLATES_AT_ONCE)
    .execute();
  for (const template of due) {
    const actor = await actorOfPlan(ctx, template);
    const rows = actor
      ? await visibleRows(ctx.reads, actor)
          .select('device_templates.device_id')
          .where('template_id', '=', template.id)
          .limit(MOST_FOLLOWERS)
          .execute()
      : [];
    if (actor && rows.length > 0) {
      const { input } = await readJob(ctx);
      const target = { device_id: rows.map((row) => row.device_id) };
      const more = { schedule: { wait_seconds: (DAY - HOUR) / SECOND }, idempotencyKey: `compare-${template.id}-${template.next_at}` };
      await ctx.jobs
        .create(actor, ORIGIN, {
          kind: COMPARE_KIND,
          input: { ...input, template_id: template.id, due_at: template.next_at },
          target,
          ...more,
        })
        .catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error;
          ctx.log.warn({ template: template.id, code: error.items[0]?.code }, 'devices could not be compared with their template');
        });
    }
    await ctx.db
      .updateTable('configuration_templates')
      .set({ next_at: nextNight(now, template.id) })
      .where('id', '=', template.id)
      .where('next_at', '=', template.next_at)
      .execute();
  }
}
