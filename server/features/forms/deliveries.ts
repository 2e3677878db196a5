import type { Context } from '../../context.ts';
import type { DeliveryState, Row } from '../../db/schema.ts';
import { DELIVERY_PURPOSE } from '../../domain/webhooks/queue-delivery.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { HOUR, MINUTE, SECOND, wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import { OutboundError, postJson, type Resolve } from '../../kernel/outbound/post-json.ts';
import { openSealed } from '../../kernel/seal.ts';
import { DeliveryTaken } from './errors.ts';
import { webhookRequest } from './webhook-request.ts';

/** Pauses after the first, second, … try that did not work; after the last one the delivery has failed. */
const PAUSES_MS = [10 * SECOND, 1 * MINUTE, 10 * MINUTE, 1 * HOUR, 6 * HOUR];
/** A try ends within ten seconds; until then nobody else takes the delivery. */
const CLAIM_MS = 30 * SECOND;
const LOOK_MS = 5 * SECOND;
const BATCH = 20;
/** So many batches at a look: after a storm there are thousands. */
const MOST_BATCHES = 25;
const SHOWN = 100;

type Delivery = Row<'webhook_deliveries'>;

/** The newest deliveries of a form with each try, for administrators; bodies are not shown. */
export async function listDeliveries(ctx: Context, formId: string) {
  const deliveries = await ctx.reads
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('form_id', '=', formId)
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute();
  const attempts = await ctx.reads
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('delivery_id', 'in', ctx.database.tools.idList(deliveries.map(({ id }) => id)))
    .orderBy('id')
    .execute();
  const byDelivery = Map.groupBy(attempts, (attempt) => attempt.delivery_id);
  return deliveries.map((delivery) => ({
    id: delivery.id,
    target: delivery.target,
    state: delivery.state,
    user_name: delivery.user_name,
    created_at: wireTime(delivery.created_at),
    finished_at: wireTime(delivery.finished_at),
    next_at: delivery.state === 'waiting' ? wireTime(delivery.next_at) : null,
    attempts: (byDelivery.get(delivery.id) ?? []).map(({ at, status, reason, duration_ms }) => ({
      at: wireTime(at),
      status,
      reason,
      duration_ms,
    })),
  }));
}

/** Delivers what forms and automations hand over: at once, and again with growing pauses until the other side answers with 2xx or the pauses are used up. */
export function createDeliveries(ctx: Context, resolve?: Resolve) {
  let stop: (() => void) | undefined;

  async function claim(id: number, seen: number): Promise<boolean> {
    const { numUpdatedRows } = await ctx.db
      .updateTable('webhook_deliveries')
      .set({ next_at: ctx.clock.now() + CLAIM_MS })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .where('next_at', '=', seen)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async function call(delivery: Delivery): Promise<{ status: number | null; reason: string | null }> {
    const setting = ctx.config.webhooks.get(delivery.target);
    if (!setting) return { status: null, reason: 'not-set' };
    const body = openSealed(ctx.secretKey, DELIVERY_PURPOSE, delivery.sealed_body);
    const request = webhookRequest(setting, { path: delivery.path, body, deliveryId: delivery.id, now: ctx.clock.now() });
    try {
      const status = await postJson({ ...request, allowPrivate: setting.allowPrivate, ...(resolve ? { resolve } : {}) });
      return { status, reason: null };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { status: null, reason: error.reason };
    }
  }

  /** One try, if nobody else is at it; answers the delivery's state after it. */
  async function attempt(delivery: Delivery): Promise<{ state: DeliveryState; status: number | null }> {
    if (!(await claim(delivery.id, delivery.next_at))) return { state: 'waiting', status: null };
    const start = performance.now();
    const { status, reason } = await call(delivery);
    const now = ctx.clock.now();
    const attempts = delivery.attempts + 1;
    const isDone = status !== null && status >= 200 && status < 300;
    const pause = PAUSES_MS[delivery.attempts];
    const state = isDone ? 'delivered' : pause === undefined ? 'failed' : 'waiting';
    await inTransaction(ctx.db, async (trx) => {
      await trx
        .insertInto('webhook_attempts')
        .values({ delivery_id: delivery.id, at: now, status, reason, duration_ms: Math.round(performance.now() - start) })
        .execute();
      await trx
        .updateTable('webhook_deliveries')
        .set({ state, attempts, next_at: now + (pause ?? 0), finished_at: state === 'waiting' ? null : now })
        .where('id', '=', delivery.id)
        .execute();
    });
    if (!isDone)
      ctx.log.warn(
        { form: delivery.form_id, delivery: delivery.id, target: delivery.target, status, reason },
        'a webhook did not take a delivery',
      );
    return { state, status };
  }

  /**
   * Tries a delivery of a form now; one whose own try is due within seconds, or under way, is left to it. Throws NOT_FOUND, and DELIVERY_TAKEN for one
   * that was taken.
   */
  async function retry({ actor, origin }: Caller, formId: string, id: number): Promise<{ state: DeliveryState; status: number | null }> {
    const find = ctx.db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).where('form_id', '=', formId);
    const delivery = await find.executeTakeFirst();
    if (!delivery) throw new NotFound({});
    if (delivery.state === 'delivered') throw new DeliveryTaken({});
    const at = ctx.clock.now();
    if (delivery.state === 'waiting' && delivery.next_at <= at + CLAIM_MS) return { state: 'waiting', status: null };
    const due = { state: 'waiting', next_at: at, finished_at: null } as const;
    await inTransaction(ctx.db, async (trx) => {
      await trx.updateTable('webhook_deliveries').set(due).where('id', '=', id).execute();
      await writeAudit(trx, { actor, origin, at }, [
        {
          action: 'forms.retry',
          entity: 'form',
          entityId: null,
          entityName: formId,
          companyId: actor.companyId,
          before: { delivery_id: id, state: delivery.state },
          after: { delivery_id: id, state: 'waiting' },
        },
      ]);
    });
    return attempt({ ...delivery, ...due });
  }

  async function deliverDue(): Promise<void> {
    for (let batch = 0; batch < MOST_BATCHES; batch += 1) if ((await deliverSome()) < BATCH) return;
  }

  /** How many were due. */
  async function deliverSome(): Promise<number> {
    const due = await ctx.db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('state', '=', 'waiting')
      .where('next_at', '<=', ctx.clock.now())
      .orderBy('next_at')
      .limit(BATCH)
      .execute();
    await Promise.all(due.map(attempt));
    return due.length;
  }

  return {
    start(): void {
      stop = ctx.clock.every(LOOK_MS, deliverDue);
    },
    attempt,
    retry,
    stop(): void {
      stop?.();
    },
  };
}

export type Deliveries = ReturnType<typeof createDeliveries>;
