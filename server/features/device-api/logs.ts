import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { SECOND, wireTime } from '../../kernel/clock.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { Difference } from './changes.ts';
import { COMPARE_KIND, CONFIGURE_KIND, READ_KIND } from './configure-kinds.ts';
import { knownDevices } from './known-devices.ts';
import { TEMPLATE_KIND } from './template-kind.ts';

/** What each kind of job was asked for as, in the words of the public API. */
const CALLS: Record<string, { method: string; route: string }> = {
  [READ_KIND]: { method: 'GET', route: '/devices/configurator/configuration' },
  [COMPARE_KIND]: { method: 'GET', route: '/devices/configurator/configuration' },
  [CONFIGURE_KIND]: { method: 'POST', route: '/devices/configurator/configure' },
  [TEMPLATE_KIND]: { method: 'POST', route: '/devices/configurator/templates' },
};
const MOST = 500;
const MOST_JOBS = 100;
// queued, sent, running, ok, failed, skipped, timed-out, cancelled
const TARGET_STATES = 8;

/** What was asked for, without secrets: the differences on the device, or the name of a template. */
function messageOf(input: string, deviceId: number): string {
  const { changes, template_name: template }: { changes?: { device_id: number; differences: Difference[] }[]; template_name?: string } =
    JSON.parse(input);
  const own = changes?.find(({ device_id }) => device_id === deviceId)?.differences;
  return own ? JSON.stringify(own) : (template ?? '');
}

/** What the configurator did on a device, newest first; of one kind with `action`. Throws NOT_FOUND. */
export async function listConfiguratorLogs(ctx: Context, actor: Actor, deviceId: number, action?: string) {
  await knownDevices(ctx, actor, [deviceId], () => 'id');
  const kinds = Object.keys(CALLS).filter((kind) => action === undefined || kind === action);
  const rows = await ctx.reads
    .selectFrom('job_targets')
    .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
    .select(['job_targets.id', 'job_targets.state', 'job_targets.message', 'job_targets.code', 'job_targets.step_name'])
    .select(['job_targets.sent_at', 'job_targets.started_at', 'job_targets.finished_at', 'jobs.kind', 'jobs.input', 'jobs.created_at'])
    .where('job_targets.device_id', '=', deviceId)
    .where('jobs.kind', 'in', ['', ...kinds])
    .where(isVisible(actor, 'job_targets'))
    .orderBy('job_targets.id', 'desc')
    .limit(MOST)
    .execute();
  return rows.map((row) => {
    const seconds = (from: number | null): number | null =>
      row.finished_at === null || from === null ? null : (row.finished_at - from) / SECOND;
    return {
      request_id: row.id,
      device_id: deviceId,
      action_name: row.kind,
      display_name: row.kind,
      ...CALLS[row.kind],
      request_message: messageOf(row.input, deviceId),
      response_message: row.message ?? '',
      response_code: row.code,
      request_state: row.state,
      duration: seconds(row.created_at),
      execution_duration: seconds(row.started_at ?? row.sent_at),
      additional_information: row.step_name ?? '',
      request_hidden: row.kind === CONFIGURE_KIND || row.kind === TEMPLATE_KIND ? 1 : 0,
      created_at: wireTime(row.created_at),
      updated_at: wireTime(row.finished_at ?? row.sent_at ?? row.created_at),
    };
  });
}

/** The jobs of the configurator that these devices were in, newest first, with how many of the devices are in which state. Throws NOT_FOUND at `device_id.<index>`. */
export async function listConfiguratorJobs(ctx: Context, actor: Actor, ids: readonly number[]) {
  await knownDevices(ctx, actor, ids, (index) => `device_id.${index}`);
  const rows = await ctx.reads
    .selectFrom('job_targets')
    .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
    .select(['jobs.id', 'jobs.kind', 'jobs.created_at', 'jobs.finished_at', 'job_targets.state'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('job_targets.device_id', 'in', ctx.database.tools.idList(ids))
    .where('jobs.kind', 'in', Object.keys(CALLS))
    .where(isVisible(actor, 'job_targets'))
    .groupBy(['jobs.id', 'jobs.kind', 'jobs.created_at', 'jobs.finished_at', 'job_targets.state'])
    .orderBy('jobs.id', 'desc')
    .limit(MOST_JOBS * TARGET_STATES)
    .execute();
  return [...Map.groupBy(rows, ({ id }) => id).values()].slice(0, MOST_JOBS).map((states) => {
    const [{ id, kind, created_at, finished_at }] = states as [(typeof rows)[0]];
    return {
      job_id: id,
      action_name: kind,
      states: Object.fromEntries(states.map(({ state, count }) => [state, Number(count)])),
      created_at: wireTime(created_at),
      finished_at: wireTime(finished_at),
    };
  });
}
