import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { DAY, SECOND } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { actorOfPlan, devicesOfPlan } from '../../domain/plans/plan-devices.ts';
import { PASSWORD_KIND, type PasswordInput } from './password-input.ts';

const ORIGIN = { ip: '', requestId: 'password-plan', userAgent: '' };
const PLANS_AT_ONCE = 50;
/** How long a rotation waits for devices that are offline; never into the next one. */
const MOST_WAIT_DAYS = 25;
const WAIT_SHARE = 0.8;
/** Passwords of a job that is over may be wanted for a retry so long. */
const RETRY_DAYS = 7;

/** Starts the job of a plan, as the person who set it up; undefined when that person has lost the right, or there is no device. */
async function startJob(ctx: Context, plan: Row<'password_plans'>): Promise<number | undefined> {
  const actor = await actorOfPlan(ctx, plan);
  if (!actor || plan.next_at === null) return undefined;
  const device_id = await devicesOfPlan(ctx, actor, plan);
  if (device_id.length === 0) return undefined;
  const rules = { length: plan.length, special: plan.use_special === 1 };
  const due = { plan_id: plan.id, due_at: plan.next_at };
  const input: PasswordInput = { mode: 'generate', keep: ['vault'], user: plan.username, rules, each: {}, secrets: '', ...due };
  const wait_seconds = Math.floor((Math.min(MOST_WAIT_DAYS, plan.every_days * WAIT_SHARE) * DAY) / SECOND);
  const idempotencyKey = `password-plan-${plan.id}-${plan.next_at}`;
  try {
    const request = { kind: PASSWORD_KIND, input, target: { device_id }, schedule: { wait_seconds }, idempotencyKey };
    return (await ctx.jobs.create(actor, ORIGIN, request)).jobId;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ plan: plan.id, code: error.items[0]?.code }, 'a rotation of passwords could not be started');
    return undefined;
  }
}

/** Starts what is due. The key of a job is made of its time, so that a plan that two processes see is run once. */
export async function runDuePlans(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const due = await ctx.db
    .selectFrom('password_plans')
    .innerJoin('companies', 'companies.id', 'password_plans.company_id')
    .selectAll('password_plans')
    .where('password_plans.next_at', '<=', now)
    .where('companies.path', '>=', '/')
    .orderBy('password_plans.next_at')
    .limit(PLANS_AT_ONCE)
    .execute();
  for (const plan of due) {
    const jobId = await startJob(ctx, plan);
    await ctx.db
      .updateTable('password_plans')
      .set({ next_at: now + plan.every_days * DAY, last_at: now, ...(jobId === undefined ? {} : { last_job_id: jobId }) })
      .where('id', '=', plan.id)
      .where('next_at', '=', plan.next_at)
      .execute();
  }
}

/** Forgets what targets and jobs that are over still hold: of devices that were removed meanwhile, and what no retry will ask for. */
export async function forgetPasswords(ctx: Context): Promise<void> {
  await ctx.db
    .updateTable('job_targets')
    .set({ facts: null })
    .where('facts', 'is not', null)
    .where('state', 'in', ['ok', 'failed', 'timed-out', 'skipped', 'cancelled'])
    .where('job_id', 'in', (query) =>
      query
        .selectFrom('jobs')
        .select('jobs.id')
        .where('jobs.kind', '=', PASSWORD_KIND)
        .where((eb) => eb.or([eb('jobs.finished_at', 'is', null), eb('jobs.finished_at', '>', ctx.clock.now() - DAY)])),
    )
    .execute();
  const old = await ctx.db
    .selectFrom('jobs')
    .select(['id', 'input'])
    .where('kind', '=', PASSWORD_KIND)
    .where('finished_at', '<', ctx.clock.now() - RETRY_DAYS * DAY)
    .where('input', 'not like', '%"secrets":""%')
    .execute();
  for (const { id, input } of old) {
    const kept = { ...(JSON.parse(input) as PasswordInput), secrets: '' };
    await ctx.db
      .updateTable('jobs')
      .set({ input: JSON.stringify(kept) })
      .where('id', '=', id)
      .execute();
  }
}
