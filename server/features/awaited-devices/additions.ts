import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { DAY } from '../../kernel/clock.ts';
import { eventsOf } from '../../domain/jobs/polled-events.ts';
import { ChannelNotFound, type PolledEvent } from '../../kernel/polled-channels.ts';
import type { CheckedDevice, Fault, NewDevice } from './rows.ts';

/** How long programs can read the outcome of devices that they added. */
const KEPT_MS = DAY;

export const additionChannel = (id: number): string => `devices-added.${id}`;

interface Addition {
  rows: readonly NewDevice[];
  good: readonly CheckedDevice[];
  /** Of the good ones, in their order. */
  ids: readonly number[];
  faults: readonly Fault[];
  creditJobId: number | undefined;
}

/** The first event of each device: by its id, or by its place in the list where it was refused. */
function resultsOf({ rows, good, ids, faults }: Addition): Record<string, PolledEvent> {
  const results: Record<string, PolledEvent> = {};
  for (const [place, { serial }] of good.entries())
    results[ids[place] ?? 0] = { status: 'completed', value: 'Added; waits for its first contact', serial };
  for (const { code, source, message } of faults) {
    const [, index = ''] = /^data\.(\d+)\./.exec(source) ?? [];
    results[`data.${index}`] ??= { status: 'error', value: message, errorCode: code, source, serial: rows[Number(index)]?.serial ?? '' };
  }
  return results;
}

/** Keeps the outcome of each device of a call for a day, and answers the channel that it is read at. */
export async function keepAddition(ctx: Context, { userId }: Actor, addition: Addition): Promise<string> {
  const at = ctx.clock.now();
  const { id } = await ctx.db
    .insertInto('device_additions')
    .values({
      user_id: userId,
      results: JSON.stringify(resultsOf(addition)),
      credit_job_id: addition.creditJobId ?? null,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return additionChannel(id);
}

/** What reserving a credit gave, by device. A device without one is added all the same, so nothing of that is an error. */
async function creditEvents(db: Db, jobId: number): Promise<Map<number, PolledEvent[]>> {
  const targets = await db
    .selectFrom('job_targets')
    .select(['device_id', 'state', 'reason', 'message', 'output', 'sent_at', 'started_at'])
    .where('job_id', '=', jobId)
    .execute();
  return new Map(
    targets.map((target) => [
      target.device_id,
      eventsOf(target).map((event) => ({
        ...event,
        status: event.status === 'error' ? 'warning' : event.status,
        value: `Credit: ${event.value}`,
      })),
    ]),
  );
}

/** The events of devices that the actor added, by device. Throws CHANNEL_NOT_FOUND for what somebody else added, and after a day. */
export async function readAddition(ctx: Context, actor: Actor, id: number): Promise<Record<string, PolledEvent[]>> {
  const row = await ctx.reads
    .selectFrom('device_additions')
    .select(['results', 'credit_job_id'])
    .where('id', '=', id)
    .where('user_id', '=', actor.userId)
    .where('created_at', '>=', ctx.clock.now() - KEPT_MS)
    .executeTakeFirst();
  if (!row) throw new ChannelNotFound({});
  const results: Record<string, PolledEvent> = JSON.parse(row.results);
  const credits = row.credit_job_id === null ? new Map<number, PolledEvent[]>() : await creditEvents(ctx.reads, row.credit_job_id);
  return Object.fromEntries(Object.entries(results).map(([key, first]) => [key, [first, ...(credits.get(Number(key)) ?? [])]]));
}
