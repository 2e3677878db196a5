import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { hasJobInScope } from '../../kernel/job-scope.ts';
import { parseChannel } from '../../kernel/live/channels.ts';
import type { DetailsReport } from '../../domain/devices/details-report.ts';
import { eventsOf } from '../../domain/jobs/polled-events.ts';
import { ChannelNotFound, type PolledEvent } from '../../kernel/polled-channels.ts';

const CHUNK = 500;

/** Adds who is behind the ports to the last event of devices that looked for it. */
async function addPorts(ctx: Context, data: Record<string, PolledEvent[]>): Promise<void> {
  const ids = ctx.database.tools.idList(Object.keys(data).map(Number));
  const rows = await ctx.reads.selectFrom('device_details').select(['device_id', 'details']).where('device_id', 'in', ids).execute();
  for (const { device_id, details } of rows) {
    const last = data[device_id]?.at(-1);
    if (last?.status === 'completed') last.ports = (JSON.parse(details) as DetailsReport).ports ?? [];
  }
}

/** The events of a job's channel by device. Throws CHANNEL_NOT_FOUND for what is no job that the actor sees. */
export async function pollChannel(ctx: Context, actor: Actor, name: string): Promise<Record<string, PolledEvent[]>> {
  const channel = parseChannel(name);
  if (channel?.subject !== 'jobs' || !(await hasJobInScope(ctx, actor, channel.id))) throw new ChannelNotFound({});
  const data: Record<string, PolledEvent[]> = {};
  let after = 0;
  for (;;) {
    const rows = await ctx.reads
      .selectFrom('job_targets')
      .select(['id', 'device_id', 'state', 'reason', 'message', 'sent_at', 'started_at'])
      .select((eb) => eb.fn<string | null>('substr', ['output', eb.val(1), eb.val(1000)]).as('output'))
      .where('job_id', '=', channel.id)
      .where('id', '>', after)
      .orderBy('id')
      .limit(CHUNK)
      .execute();
    for (const row of rows) data[row.device_id] = eventsOf(row);
    const last = rows.at(-1);
    if (!last || rows.length < CHUNK) break;
    after = last.id;
    await nextTurn();
  }
  const job = await ctx.reads.selectFrom('jobs').select('kind').where('id', '=', channel.id).executeTakeFirst();
  if (job?.kind === 'port_scan') await addPorts(ctx, data);
  return data;
}
