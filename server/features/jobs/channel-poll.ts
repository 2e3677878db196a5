import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { hasJobInScope } from '../../kernel/job-scope.ts';
import { parseChannel } from '../../kernel/live/channels.ts';
import type { DetailsReport } from '../../domain/devices/details-report.ts';
import { ChannelNotFound, type PolledEvent } from '../../kernel/polled.ts';

const CHUNK = 500;

type Target = Pick<Row<'job_targets'>, 'state' | 'reason' | 'message' | 'output' | 'sent_at' | 'started_at'>;

function lastEvent(target: Target): PolledEvent | undefined {
  const value = target.message ?? target.output ?? '';
  switch (target.state) {
    case 'ok':
      return { status: 'completed', value: value || 'Done' };
    case 'failed':
      return { status: 'error', value: value || 'Failed', errorCode: 'FAILED' };
    case 'timed-out':
      return { status: 'error', value: value || 'The device did not answer in time', errorCode: 'TIMED_OUT' };
    case 'skipped':
      return { status: 'warning', value: value || 'Skipped', errorCode: target.reason ?? 'SKIPPED' };
    case 'cancelled':
      return { status: 'warning', value: 'Cancelled before it was sent', errorCode: 'CANCELLED' };
    default:
      return undefined;
  }
}

/** What happened to one target so far, oldest first. */
export function eventsOf(target: Target): PolledEvent[] {
  const last = lastEvent(target);
  return [
    { status: 'pending', value: 'Queued' },
    ...(target.sent_at === null ? [] : [{ status: 'pending', value: 'Sent' } as const]),
    ...(target.started_at === null || target.sent_at === null
      ? []
      : [{ status: 'running', value: last ? 'Running' : (target.message ?? 'Running') } as const]),
    ...(last ? [last] : []),
  ];
}

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
