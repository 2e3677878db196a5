import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { SECOND } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { actorOfPlan, devicesOfPlan } from '../../domain/plans/plan-devices.ts';
import { TASK_KIND } from './kind.ts';
import { nextRun, valuesOf } from './plans.ts';
import { prepareRun } from './run.ts';

const ORIGIN = { ip: '', requestId: 'task-plan', userAgent: '' };
const PLANS_AT_ONCE = 50;
/** So much of the time to the next run, and a week at most, a run waits for devices that are offline. */
const WAIT_SHARE = 0.8;
const MOST_WAIT_SECONDS = 7 * 24 * 3600;

/** Starts the run of a plan, as the person who set it up; undefined when that person has lost the right, or there is no device. */
async function startRun(ctx: Context, plan: Row<'task_plans'>, next: number): Promise<number | undefined> {
  const actor = await actorOfPlan(ctx, plan);
  if (!actor || plan.next_at === null) return undefined;
  const device_id = await devicesOfPlan(ctx, actor, plan);
  if (device_id.length === 0) return undefined;
  const wait_seconds = Math.min(MOST_WAIT_SECONDS, Math.floor(((next - ctx.clock.now()) * WAIT_SHARE) / SECOND));
  const idempotencyKey = `task-plan-${plan.id}-${plan.next_at}`;
  try {
    const input = await prepareRun(ctx, actor, plan.group_id, valuesOf(plan.given), { values: 'values' });
    return (
      await ctx.jobs.create(actor, ORIGIN, {
        kind: TASK_KIND,
        input,
        target: { device_id },
        schedule: { wait_seconds },
        idempotencyKey,
      })
    ).jobId;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ plan: plan.id, code: error.items[0]?.code }, 'a planned run of a task list could not be started');
    return undefined;
  }
}

/** Starts what is due. The key of a job is made of its time, so that a plan that two processes see is run once. */
export async function runDuePlans(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const due = await ctx.db
    .selectFrom('task_plans')
    .innerJoin('companies', 'companies.id', 'task_plans.company_id')
    .selectAll('task_plans')
    .where('task_plans.next_at', '<=', now)
    .where('companies.path', '>=', '/')
    .orderBy('task_plans.next_at')
    .limit(PLANS_AT_ONCE)
    .execute();
  for (const plan of due) {
    const next = nextRun(plan, now);
    const jobId = await startRun(ctx, plan, next);
    await ctx.db
      .updateTable('task_plans')
      .set({ next_at: next, last_at: now, ...(jobId === undefined ? {} : { last_job_id: jobId }) })
      .where('id', '=', plan.id)
      .where('next_at', '=', plan.next_at)
      .execute();
  }
}
