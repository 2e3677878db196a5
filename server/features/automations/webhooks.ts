import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import { queueDelivery } from '../../domain/webhooks/queue-delivery.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import type { Result, ActionResult, Evaluated } from './types.ts';
import type { Call } from './write-alerts.ts';

const SETTLED_AT_ONCE = 100;

/** Hands the call of a webhook to the queue of webhooks, once whatever happens in between. The entry of the log gets the answer when there is one. */
export async function queueWebhook(ctx: Context, { actor, automation, device, log }: Call, index: number, name: string): Promise<Result> {
  if (!ctx.config.webhooks.has(name)) return { status: 'failed', message: 'no-webhook' };
  const content = {
    automation: { id: automation.id, name: automation.name },
    device: { id: device.id, name: device.name, serial: device.serial, mac: device.mac, company_id: device.company_id },
    branch: log.branch,
    at: new Date(log.at).toISOString(),
    conditions: JSON.parse(log.evaluated) as Evaluated[],
    user_id: actor.userId,
    delivery: `${log.id}-${index}`,
  };
  await inTransaction(ctx.db, (trx) =>
    queueDelivery(ctx, trx, {
      ...{ formId: 'automation', target: name, path: '', body: JSON.stringify(content) },
      ...{ user: { id: actor.userId, name: actor.name }, logEntry: { id: log.id, action: index } },
    }),
  );
  return { status: 'ok', message: 'queued' };
}

/** Deliveries that have ended, with the last answer of each. */
const findEnded = (trx: Trx) =>
  trx
    .selectFrom('webhook_deliveries')
    .leftJoin('automation_logs', 'automation_logs.id', 'webhook_deliveries.log_id')
    .select(['webhook_deliveries.id', 'log_id', 'log_action', 'state', 'automation_logs.results'])
    .select((eb) =>
      eb
        .selectFrom('webhook_attempts')
        .select(sql<string>`coalesce(cast(webhook_attempts.status as text), webhook_attempts.reason)`.as('answer'))
        .whereRef('webhook_attempts.delivery_id', '=', 'webhook_deliveries.id')
        .orderBy('webhook_attempts.id', 'desc')
        .limit(1)
        .as('answer'),
    )
    .where('log_id', 'is not', null)
    .where('state', '<>', 'waiting')
    .where((or) => or.or([or('automation_logs.status', 'is', null), or('automation_logs.status', 'in', ['done', 'failed'])]))
    .orderBy('webhook_deliveries.id')
    .limit(SETTLED_AT_ONCE)
    .execute();

/** Writes what webhooks answered into the entries of the log, and takes those deliveries out of the queue. */
export async function settleWebhooks(ctx: Context): Promise<void> {
  const waiting = await ctx.reads.selectFrom('webhook_deliveries').select('id').where('log_id', 'is not', null).limit(1).executeTakeFirst();
  if (!waiting) return;
  await inTransaction(ctx.db, async (trx) => {
    const ended = await findEnded(trx);
    for (const own of Map.groupBy(ended, ({ log_id }) => log_id).values()) {
      const [first] = own;
      if (first?.results === null || first === undefined) continue;
      const results = JSON.parse(first.results) as ActionResult[];
      for (const { log_action: index, state, answer } of own) {
        const result = results[index ?? -1];
        if (result) Object.assign(result, { status: state === 'delivered' ? 'ok' : 'failed', message: answer });
      }
      const status = results.every((one) => one.status === 'ok') ? 'done' : 'failed';
      await trx
        .updateTable('automation_logs')
        .set({ status, results: JSON.stringify(results) })
        .where('id', '=', first.log_id)
        .execute();
    }
    const ids = ended.map(({ id }) => id);
    await trx.deleteFrom('webhook_deliveries').where('id', 'in', ctx.database.tools.idList(ids)).execute();
  });
}
