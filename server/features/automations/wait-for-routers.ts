import type { Context } from '../../context.ts';
import { isAboutSilence } from '../../domain/devices/silence.ts';
import { findBehindRouters, isReason, isSettled, silentRouters } from '../../domain/places/site-routers.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { branchAt, isMoment } from './branches.ts';
import { seenConditions } from './fill-message.ts';
import { ruleOf } from './stored-rule.ts';
import type { Action, ActionResult } from './types.ts';
import { findOver, type Call, type Log } from './write-alerts.ts';

const LOGS_AT_ONCE = 100;
/** They are done at once, since they tell nobody by themselves and touch the device in no way. */
const PROMPT: ReadonlySet<string> = new Set(['RaiseAlert', 'OpenIncident', 'CloseIncident', 'AddTag', 'RemoveTag', 'PauseRollOuts']);
const SETTLING = 'settling';
/** Before the name of the router. */
const BEHIND = 'behind: ';

export const isPrompt = ({ name }: Action): boolean => PROMPT.has(name);

/** The result of an action that waits. */
export const settlingResult = ({ name }: Action): ActionResult => ({ name, status: 'ok', message: SETTLING });

const isWaitingResult = ({ message }: ActionResult): boolean => message === SETTLING || message?.startsWith(BEHIND) === true;

/** The entries, by their numbers, whose mails, calls and tasks wait: their device is silent, and the router of its site may be the reason. */
export async function findSettling(ctx: Context, calls: readonly Call[]): Promise<Set<number>> {
  const silent = calls.filter(
    ({ log, device }) =>
      log.waited_at === null &&
      !(JSON.parse(log.actions) as Action[]).every(isPrompt) &&
      isAboutSilence(seenConditions(log.evaluated), device.status === 0),
  );
  const behind = await findBehindRouters(ctx, ctx.reads, [...new Set(silent.map(({ device }) => device.id))]);
  return new Set(silent.filter(({ device }) => behind.has(device.id)).map(({ log }) => log.id));
}

/** Whether a router explained an entry, and nothing is wrong with the device any more. */
export async function isExplainedAndOver(ctx: Context, call: Call): Promise<boolean> {
  const { log, automation, device } = call;
  if (log.cause_device_id === null) return false;
  const { branches } = ruleOf(automation);
  if (branchAt(branches, log.branch) === undefined || isMoment(branches, log.branch)) return device.status !== 0;
  return inTransaction(ctx.db, async (trx) => (await findOver(ctx, trx, [call])).has(log.id));
}

async function releaseSome(ctx: Context): Promise<boolean> {
  const now = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const waiting = await trx
      .selectFrom('automation_logs')
      .selectAll()
      .where('status', '=', 'waiting')
      .where((eb) =>
        eb.or([
          eb.and([eb('cause_device_id', 'is', null), isSettled(now, { device: 'automation_logs.device_id', since: 'automation_logs.at' })]),
          eb('cause_device_id', 'not in', eb.selectFrom('devices').select('devices.id').where(isReason(now, 'devices'))),
        ]),
      )
      .orderBy('id')
      .limit(LOGS_AT_ONCE)
      .execute();
    const routers = await silentRouters(ctx, trx, [...new Set(waiting.map(({ device_id: id }) => id))]);
    const names = await trx
      .selectFrom('devices')
      .select(['id', 'name'])
      .where('id', 'in', ctx.database.tools.idList([...new Set(routers.values())]))
      .execute();
    const nameOf = new Map(names.map(({ id, name }) => [id, name]));
    const behind = waiting.filter(({ device_id: id }) => routers.has(id));
    const withRouter = (log: Log, router: number) =>
      JSON.stringify(
        (JSON.parse(log.results) as ActionResult[]).map((result) =>
          isWaitingResult(result) ? { ...result, message: `${BEHIND}${nameOf.get(router) ?? ''}` } : result,
        ),
      );
    for (const log of behind) {
      const router = routers.get(log.device_id) ?? 0;
      await trx
        .updateTable('automation_logs')
        .set({ cause_device_id: router, results: withRouter(log, router) })
        .where('id', '=', log.id)
        .execute();
    }
    const others = waiting.filter(({ device_id: id }) => !routers.has(id)).map(({ id }) => id);
    await trx
      .updateTable('automation_logs')
      .set({ status: 'pending', waited_at: now })
      .where('id', 'in', ctx.database.tools.idList(others))
      .execute();
    return waiting.length === LOGS_AT_ONCE;
  });
}

/** Lets entries go on of which it is known that no router explains them, or not any more; notes the router in the others. */
export async function releaseWaiting(ctx: Context): Promise<void> {
  const waits = await ctx.reads.selectFrom('automation_logs').select('id').where('status', '=', 'waiting').limit(1).executeTakeFirst();
  if (waits) while (await releaseSome(ctx));
}
