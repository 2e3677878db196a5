import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import { actorOfPlan } from '../../domain/plans/plan-devices.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { AppError } from '../../kernel/errors.ts';
import { queueNotifications } from '../../kernel/notifications.ts';
import { putTags, takeTags } from '../../domain/tags/put-tags.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { pauseRollOuts, sendForm } from './device-actions.ts';
import type { Result, Action, ActionResult } from './types.ts';
import { collectedLabels, fillMessage } from './fill-message.ts';
import { findSettling, isExplainedAndOver, isPrompt, settlingResult } from './wait-for-routers.ts';
import { queueWebhook } from './webhooks.ts';
import { conditionsOf, writeAlerts, type Call, type Log } from './write-alerts.ts';

const ORIGIN = { ip: '', requestId: 'automation', userAgent: '' };
const LOGS_AT_ONCE = 100;
/** A process that ended in the middle: another one goes on with what it had claimed. */
const CLAIM_MS = 2 * MINUTE;

const JOBS: Partial<Record<Action['name'], string>> = {
  Reboot: 'reboot',
  ExportBackup: 'download_backup',
  ExportTroubleshoot: 'download_troubleshoot',
  ExportEventsLog: 'download_eventslog',
};

/** Starts a job on the device. Its key is made of the log entry, so that it is started once whatever happens in between. */
async function startJob({ ctx, actor, log }: Call, index: number, kind: string, input: object): Promise<Result> {
  const { jobId } = await ctx.jobs.create(actor, ORIGIN, {
    kind,
    input,
    target: { device_id: [log.device_id] },
    idempotencyKey: `automation-${log.id}-${index}`,
  });
  return { status: 'ok', message: null, job_id: jobId };
}

async function changeTag({ ctx, actor, device }: Call, action: Action): Promise<Result> {
  const id = action.options?.tag_id ?? 0;
  const tag = await ctx.reads.selectFrom('tags').select('id').where('id', '=', id).where(isVisible(actor, 'tags')).executeTakeFirst();
  if (!tag) return { status: 'failed', message: 'no-tag' };
  const by = { actor, origin: ORIGIN, at: ctx.clock.now() };
  await inTransaction(ctx.db, (trx) => (action.name === 'AddTag' ? putTags : takeTags)(ctx, trx, by, [device.id], [id]));
  return { status: 'ok', message: null };
}

async function notify(call: Call, action: Action): Promise<Result> {
  const { ctx, actor, device, automation, log } = call;
  const message = fillMessage(action.options?.message ?? '', { automation, device, log });
  const wanted = action.options?.receiving_users ?? [];
  const users = await ctx.reads
    .selectFrom('users')
    .select('users.id')
    .where('users.id', 'in', wanted)
    .where(isVisible(actor, 'users'))
    .execute();
  if (users.length === 0) return { status: 'failed', message: 'nobody' };
  const about = {
    kind: 'deviceAutomation',
    companyId: device.company_id,
    subjectId: device.id,
    details: { message, conditions: conditionsOf(call) },
  } as const;
  await queueNotifications(
    ctx.db,
    ctx.clock.now(),
    users.map(({ id }) => ({ ...about, userId: id })),
  );
  return { status: 'ok', message: null };
}

async function run(call: Call, action: Action, index: number): Promise<Result> {
  const { ctx, actor, device, log } = call;
  const kind = JOBS[action.name];
  if (kind !== undefined) return startJob(call, index, kind, {});
  switch (action.name) {
    case 'RunForm':
      return sendForm(ctx, actor, { action, deviceId: device.id, key: `automation-${log.id}-${index}` });
    case 'PauseRollOuts':
      return pauseRollOuts(ctx, actor, device.id);
    case 'RaiseAlert':
    case 'OpenIncident':
    case 'CloseIncident':
      await inTransaction(ctx.db, (trx) => writeAlerts(ctx, trx, [{ call, action }]));
      return { status: 'ok', message: null };
    case 'SendNotification':
      return notify(call, action);
    case 'SendEmail':
      return { status: 'ok', message: 'queued' };
    case 'TaskManagerAction':
      return startJob(call, index, 'execute_tasks_group', { group_id: action.options?.task_group_id });
    case 'AddTag':
    case 'RemoveTag':
      return changeTag(call, action);
    case 'Webhook':
      return queueWebhook(ctx, call, index, action.options?.url ?? '');
    default:
      return { status: 'failed', message: 'unknown' };
  }
}

/** Does the actions of an entry: the prompt ones alone while the others wait, the others alone after that, else all. */
async function resultsOf(call: Call, isSettling = false): Promise<ActionResult[]> {
  const { log } = call;
  const before = log.waited_at === null ? [] : (JSON.parse(log.results) as ActionResult[]);
  const results: ActionResult[] = [];
  for (const [index, action] of (JSON.parse(log.actions) as Action[]).entries()) {
    const done = isPrompt(action) ? before[index] : undefined;
    if (done !== undefined || (isSettling && !isPrompt(action))) {
      results.push(done ?? settlingResult(action));
      continue;
    }
    try {
      results.push({ name: action.name, ...(await run(call, action, index)) });
    } catch (error) {
      if (!(error instanceof AppError)) call.ctx.log.error({ err: error, log: log.id }, 'an action of an automation failed');
      const message = error instanceof AppError ? (error.items[0]?.message ?? null) : 'error';
      results.push({ name: action.name, status: 'failed', message });
    }
  }
  return results;
}

/** Actions that only write here: those of many entries are done in one transaction. */
const QUIET: ReadonlySet<string> = new Set(['RaiseAlert', 'OpenIncident', 'CloseIncident', 'SendEmail']);
/** So many entries are done before others get their turn. */
const QUIET_AT_ONCE = 25;

const isQuiet = (log: Log): boolean => log.waited_at === null && (JSON.parse(log.actions) as Action[]).every(({ name }) => QUIET.has(name));

/** The automations and devices of entries, each as its person sees it; none for a person who may not act any more, or a device that went out of sight. */
async function callsOf(ctx: Context, logs: readonly Log[]): Promise<Map<number, Call>> {
  const calls = new Map<number, Call>();
  for (const [id, own] of Map.groupBy(logs, (log) => log.automation_id)) {
    const automation = await ctx.reads.selectFrom('automations').selectAll().where('id', '=', id).executeTakeFirst();
    const actor = automation && (await actorOfPlan(ctx, automation));
    if (!actor) continue;
    const rows = await ctx.reads
      .selectFrom('devices')
      .innerJoin('companies', 'companies.id', 'devices.company_id')
      .selectAll('devices')
      .select('companies.name as company_name')
      .where('devices.id', 'in', ctx.database.tools.idList(own.map((log) => log.device_id)))
      .where(isVisible(actor, 'devices'))
      .execute();
    const devices = new Map(rows.map((row) => [row.id, row]));
    const labels = await collectedLabels(ctx.reads, actor, own);
    for (const log of own) {
      const device = devices.get(log.device_id);
      if (device) calls.set(log.id, { ctx, actor, automation, log, device, labels });
    }
  }
  return calls;
}

/** Writes the same result into several entries. */
async function finish(ctx: Context, db: Db, ids: readonly number[], results: readonly ActionResult[]): Promise<void> {
  const status = results.every((one) => one.status !== 'failed') ? 'done' : 'failed';
  await db
    .updateTable('automation_logs')
    .set({ status, results: JSON.stringify(results), finished_at: ctx.clock.now() })
    .where('id', 'in', ctx.database.tools.idList(ids))
    .execute();
}

/** Does what a single entry asks for, as far as it may be done already. */
async function runOne(call: Call, isSettling: boolean): Promise<void> {
  const { ctx, log } = call;
  if (isSettling) {
    const results = JSON.stringify(await resultsOf(call, true));
    await ctx.db.updateTable('automation_logs').set({ status: 'waiting', results, finished_at: null }).where('id', '=', log.id).execute();
  } else if (await isExplainedAndOver(ctx, call)) {
    await ctx.db.updateTable('automation_logs').set({ mails: 'none' }).where('id', '=', log.id).execute();
    await finish(ctx, ctx.db, [log.id], JSON.parse(log.results));
  } else await finish(ctx, ctx.db, [log.id], await resultsOf(call));
}

const actionsOf = ({ log }: Call): Action[] => JSON.parse(log.actions) as Action[];

/** Raises the alerts of some entries that ask for nothing else, in one transaction. */
async function runQuiet(ctx: Context, calls: readonly Call[]): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const requests = calls.flatMap((call) => actionsOf(call).map((action) => ({ call, action })));
    await writeAlerts(
      ctx,
      trx,
      requests.filter(({ action }) => action.name !== 'SendEmail'),
    );
    for (const alike of Map.groupBy(calls, (call) =>
      actionsOf(call)
        .map(({ name }) => name)
        .join(' '),
    ).values()) {
      const names = alike[0] ? actionsOf(alike[0]).map(({ name }) => name) : [];
      const results = names.map((name): ActionResult => ({ name, status: 'ok', message: name === 'SendEmail' ? 'queued' : null }));
      await finish(ctx, trx, alike.map(({ log }) => log.id), results); // prettier-ignore
    }
  });
}

/** Does what fired automations ask for, oldest first. Nothing is lost by a stop in the middle; jobs are started once, a notification may come twice. */
export async function runActions(ctx: Context): Promise<void> {
  for (;;) {
    const now = ctx.clock.now();
    const claimed = await ctx.db
      .updateTable('automation_logs')
      .set({ status: 'running', finished_at: now })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('automation_logs as waiting')
          .select('waiting.id')
          .where((or) =>
            or.or([
              or('waiting.status', '=', 'pending'),
              or.and([or('waiting.status', '=', 'running'), or('waiting.finished_at', '<', now - CLAIM_MS)]),
            ]),
          )
          .orderBy('waiting.id')
          .limit(LOGS_AT_ONCE),
      )
      .returningAll()
      .execute();
    const logs = claimed.toSorted((a, b) => a.id - b.id);
    const calls = await callsOf(ctx, logs);
    const settling = await findSettling(ctx, [...calls.values()]);
    const quiet = logs.filter((log) => isQuiet(log) && !settling.has(log.id)).flatMap((log) => calls.get(log.id) ?? []);
    // SQLite answers within the same turn of the event loop: without a pause nothing else would have its turn.
    for (let start = 0; start < quiet.length; start += QUIET_AT_ONCE) {
      await nextTurn();
      await runQuiet(ctx, quiet.slice(start, start + QUIET_AT_ONCE));
    }
    for (const log of logs) {
      const call = calls.get(log.id);
      if (call && isQuiet(log) && !settling.has(log.id)) continue;
      await nextTurn();
      if (call) await runOne(call, settling.has(log.id));
      else await finish(ctx, ctx.db, [log.id], [{ name: 'RaiseAlert', status: 'failed', message: 'no-right' }]);
    }
    if (claimed.length < LOGS_AT_ONCE) return;
    await nextTurn();
  }
}
