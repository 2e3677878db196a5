import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { sealText } from '../../kernel/seal.ts';

/** What a webhook's body is sealed for. */
export const DELIVERY_PURPOSE = 'webhook body';

/** What is to be delivered to a webhook that the administrators of this installation have set up. */
export interface NewDelivery {
  formId: string;
  /** The name of the webhook in `WEBHOOKS`. */
  target: string;
  /** Behind the address of the webhook. */
  path: string;
  body: string;
  user: { id: number; name: string };
  /** Of an action of an automation: its entry in the log, and which of the entry's actions it is. */
  logEntry?: { id: number; action: number };
}

/**
 * Puts a delivery into the queue of webhooks, which tries it at once and again with growing pauses for seven hours. undefined: this action of this entry of
 * the log is in the queue already.
 */
export async function queueDelivery(
  ctx: Pick<Context, 'clock' | 'secretKey'>,
  trx: Trx,
  { formId, target, path, body, user, logEntry }: NewDelivery,
): Promise<Row<'webhook_deliveries'> | undefined> {
  const at = ctx.clock.now();
  return trx
    .insertInto('webhook_deliveries')
    .values({
      ...{ form_id: formId, target, path, sealed_body: sealText(ctx.secretKey, DELIVERY_PURPOSE, body) },
      state: 'waiting',
      ...{ attempts: 0, next_at: at, created_at: at, finished_at: null },
      ...{ user_id: user.id, user_name: user.name, log_id: logEntry?.id ?? null, log_action: logEntry?.action ?? null },
    })
    .onConflict((conflict) => conflict.columns(['log_id', 'log_action']).where('log_id', 'is not', null).doNothing())
    .returningAll()
    .executeTakeFirst();
}
