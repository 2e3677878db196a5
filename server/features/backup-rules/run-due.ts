import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { DAY, HOUR, SECOND } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { actorOfPlan, devicesOfPlan } from '../../domain/plans/plan-devices.ts';
import { periodicBackupKind, type BackupInput } from './backup-kind.ts';
import { nextTime } from '../../domain/plans/next-time.ts';

const ORIGIN = { ip: '', requestId: 'backup-rule', userAgent: '' };
const RULES_AT_ONCE = 50;

/** How long a backup waits for devices that are offline: until shortly before the next one. */
const WAITS_MS: Record<Row<'backup_rules'>['period'], number> = { day: 20 * HOUR, week: 6 * DAY, month: 25 * DAY };

/** Starts the job of a rule, as the person who set it up; undefined when that person has lost the right, or there is no device. */
async function startJob(ctx: Context, rule: Row<'backup_rules'>): Promise<number | undefined> {
  const actor = await actorOfPlan(ctx, rule);
  if (!actor || rule.next_at === null) return undefined;
  const device_id = await devicesOfPlan(ctx, actor, rule);
  if (device_id.length === 0) return undefined;
  const input: BackupInput = { rule_id: rule.id, due_at: rule.next_at };
  const schedule = { wait_seconds: WAITS_MS[rule.period] / SECOND };
  const idempotencyKey = `backup-rule-${rule.id}-${rule.next_at}`;
  try {
    return (await ctx.jobs.create(actor, ORIGIN, { kind: periodicBackupKind.name, input, target: { device_id }, schedule, idempotencyKey }))
      .jobId;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ rule: rule.id, code: error.items[0]?.code }, 'a periodic backup could not be started');
    return undefined;
  }
}

/** Starts what is due. The key of a job is made of its time, so that a rule that two processes see is run once. */
export async function runDueRules(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const due = await ctx.db
    .selectFrom('backup_rules')
    .innerJoin('companies', 'companies.id', 'backup_rules.company_id')
    .selectAll('backup_rules')
    .where('backup_rules.next_at', '<=', now)
    .where('companies.path', '>=', '/')
    .orderBy('backup_rules.next_at')
    .limit(RULES_AT_ONCE)
    .execute();
  for (const rule of due) {
    const jobId = await startJob(ctx, rule);
    await ctx.db
      .updateTable('backup_rules')
      .set({ next_at: nextTime(rule, now), last_at: now, ...(jobId === undefined ? {} : { last_job_id: jobId }) })
      .where('id', '=', rule.id)
      .where('next_at', '=', rule.next_at)
      .execute();
  }
}
