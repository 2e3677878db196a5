import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { MINUTE, wireTime } from '../../kernel/clock.ts';
import { presentDeviceEvent } from '../../domain/devices/events.ts';
import { isJobVisible } from '../../kernel/job-scope.ts';
import { isVisible } from '../../kernel/tenancy.ts';

const AROUND_MS = 30 * MINUTE;
const UNSTABLE_MS = 10 * MINUTE;
const MOST_EVENTS = 20;
const MOST_READINGS = 60;
const READINGS = ['signal', 'rsrp', 'sinr', 'temperature', 'load5'] as const;
const CHANGES = ['connection_type', 'operator', 'network_state', 'sim_slot', 'wan_state', 'wan_ip', 'firmware'] as const;

/** What a device was instructed to do around the time when it went. */
async function readJobsAround({ ctx, actor, device }: Asked, since: number) {
  if (!can(actor, 'view_device_actions')) return [];
  const rows = await ctx.reads
    .selectFrom('job_targets')
    .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
    .select(['job_targets.job_id', 'job_targets.state', 'job_targets.sent_at', 'jobs.kind'])
    .where('job_targets.device_id', '=', device.id)
    .where('job_targets.sent_at', '>=', since - AROUND_MS)
    .where('job_targets.sent_at', '<=', since + MINUTE)
    .where(isJobVisible(actor))
    .where(isVisible(actor, 'job_targets'))
    .orderBy('job_targets.sent_at', 'desc')
    .limit(MOST_EVENTS)
    .execute();
  return rows.map(({ sent_at, ...row }) => ({ ...row, sent_at: wireTime(sent_at) }));
}

/** Texts that changed at about the time when it went, with what they were before. */
async function readChangesAround({ ctx, device }: Asked, since: number) {
  const rows = await ctx.reads
    .selectFrom('device_states')
    .select(['name', 'at', 'value'])
    .select((eb) =>
      eb
        .selectFrom('device_states as former')
        .select('former.value')
        .whereRef('former.device_id', '=', 'device_states.device_id')
        .whereRef('former.name', '=', 'device_states.name')
        .whereRef('former.at', '<', 'device_states.at')
        .orderBy('former.at', 'desc')
        .limit(1)
        .as('before'),
    )
    .where('device_id', '=', device.id)
    .where('name', 'in', CHANGES)
    .where('at', '>=', since - AROUND_MS)
    .where('at', '<=', since)
    .orderBy('at', 'desc')
    .limit(MOST_EVENTS)
    .execute();
  // What is said for the first time is no change.
  return rows.flatMap(({ at, before, ...row }) => (before === null ? [] : [{ ...row, before, created_at: wireTime(at) }]));
}

async function readEventsAround({ ctx, actor, device }: Asked) {
  if (!can(actor, 'view_device_logs')) return [];
  const rows = await ctx.reads
    .selectFrom('device_events')
    .selectAll()
    .where('device_id', '=', device.id)
    .where(isVisible(actor, 'device_events'))
    .orderBy('id', 'desc')
    .limit(MOST_EVENTS)
    .execute();
  return rows.map((row) => presentDeviceEvent(row, device.serial));
}

async function readReadings({ ctx, device }: Asked, since: number) {
  const rows = await ctx.reads
    .selectFrom('device_samples')
    .select(['metric', 'at', 'value'])
    .where('device_id', '=', device.id)
    .where('metric', 'in', READINGS)
    .where('at', '>=', since - 2 * AROUND_MS)
    .where('at', '<=', since)
    .orderBy('at', 'desc')
    .limit(MOST_READINGS)
    .execute();
  return rows.map(({ at, ...row }) => ({ ...row, created_at: wireTime(at) }));
}

interface Asked {
  ctx: Context;
  actor: Actor;
  device: Row<'devices'>;
}

/** Evidence for why a device is in its state: events, readings, commands and changes around the time when its state changed last. The caller has checked that the actor sees the device. */
export async function readEvidence(asked: Asked) {
  const { ctx, device, actor } = asked;
  const since = device.status_changed_at ?? device.created_at;
  const { count } = await ctx.reads
    .selectFrom('device_events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('device_id', '=', device.id)
    .where(isVisible(actor, 'device_events'))
    .where('type', '=', 'disconnected')
    .where('at', '>', ctx.clock.now() - UNSTABLE_MS)
    .executeTakeFirstOrThrow();
  return {
    since: wireTime(since),
    disconnects: Number(count),
    events: await readEventsAround(asked),
    jobs: await readJobsAround(asked, since),
    changes: await readChangesAround(asked, since),
    readings: await readReadings(asked, since),
  };
}

/** Devices with the serial number of this one, which is in quarantine for it: what the actor sees of them, side by side. */
export async function readNamesakes({ ctx, actor, device }: Asked) {
  const rows = await ctx.reads
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select(['devices.id', 'devices.name', 'devices.mac', 'devices.model', 'devices.firmware', 'devices.wan_ip', 'devices.status'])
    .select(['devices.last_update_at', 'devices.last_connection_at', 'devices.created_at', 'companies.name as company_name'])
    .where('devices.serial', '=', device.serial)
    .where(isVisible(actor, 'devices'))
    .orderBy('devices.id')
    .limit(MOST_EVENTS)
    .execute();
  return rows.map((row) => ({
    ...row,
    last_update_at: wireTime(row.last_update_at),
    last_connection_at: wireTime(row.last_connection_at),
    created_at: wireTime(row.created_at),
  }));
}
