import { changedSince } from '../../domain/devices/changed-since.ts';
import { HEALTH_PARTS, scoreOf, scoreParts, type HealthReadings, type HealthScores } from '../../../schemas/kit/devices/health.ts';
import { firmwareStateOf, newestVersions } from '../../domain/devices/firmware-state.ts';
import { deafPeriods, withoutDeafness } from '../../domain/devices/hearing.ts';
import { monthUse } from '../../domain/devices/month-use.ts';
import type { Context } from '../../context.ts';
import { DAY, HOUR } from '../../kernel/clock.ts';
import { idsOnPath } from '../../kernel/tenancy.ts';

/** The health of a device: what was measured, and the scores that follow. */
export interface Health {
  readings: HealthReadings;
  scores: HealthScores;
  score: number | null;
}

const CONNECTION_MS = 7 * DAY;
const READINGS_MS = DAY;
const JOBS_MS = 30 * DAY;
const ONLINE = '1';

interface Measured {
  id: number;
  company_path: string;
  model: string;
  firmware: string;
  status: number | null;
  status_changed_at: number | null;
  last_update_at: number | null;
  mem_total_kb: number | null;
  mem_available_kb: number | null;
}

/** Share of the last 7 days online, percent, of the time that is known. */
async function readConnection(ctx: Context, devices: readonly Measured[], now: number): Promise<Map<number, number>> {
  const start = now - CONNECTION_MS;
  const rows = await ctx.reads
    .selectFrom('device_states')
    .select(['device_id', 'at', 'value'])
    .where('device_id', 'in', ctx.database.tools.idList(devices.map(({ id }) => id)))
    .where('name', '=', 'status')
    .where(changedSince(start))
    .orderBy('at')
    .execute();
  const deaf = await deafPeriods(ctx.reads, { start, end: now }, now);
  const byDevice = Map.groupBy(rows, (row) => row.device_id);
  return new Map(
    devices.flatMap(({ id, status, status_changed_at: changedAt }): [number, number][] => {
      const changes = (byDevice.get(id) ?? []).map(({ at, value }) => ({ at, isOnline: value === ONLINE }));
      // Before the first change that is kept, the status is as it was changed last.
      if (changes.length === 0 && (status === 0 || status === 1)) changes.push({ at: changedAt ?? start, isOnline: status === 1 });
      let [known, online] = [0, 0];
      const spans = changes.map(({ at, isOnline }, index) => ({ from: Math.max(at, start), to: changes[index + 1]?.at ?? now, isOnline }));
      for (const { from, to, isOnline } of withoutDeafness(spans, deaf)) {
        const length = Math.max(0, to - from);
        known += length;
        if (isOnline) online += length;
      }
      return known > 0 ? [[id, (online * 100) / known]] : [];
    }),
  );
}

/** Averages of the signal (dBm) and highest temperatures (tenths of a degree) of the last 24 hours. */
async function readHours(ctx: Context, ids: readonly number[], now: number) {
  const rows = await ctx.reads
    .selectFrom('device_hours')
    .select(({ fn }) => [
      'device_id',
      'metric',
      fn.sum<number>('total').as('total'),
      fn.sum<number>('readings').as('readings'),
      fn.max('highest').as('highest'),
    ])
    .where('device_id', 'in', ctx.database.tools.idList(ids))
    .where('metric', 'in', ['signal', 'temperature'])
    .where('at', '>=', now - READINGS_MS - HOUR)
    .groupBy(['device_id', 'metric'])
    .execute();
  const of = (metric: string) => rows.filter((row) => row.metric === metric);
  return {
    signal: new Map(of('signal').map((row) => [row.device_id, Number(row.total) / Number(row.readings)])),
    temperature: new Map(of('temperature').map((row) => [row.device_id, Number(row.highest)])),
  };
}

/** The share of the targets of jobs that failed in the last 30 days, percent. */
async function readFailures(ctx: Context, ids: readonly number[], now: number): Promise<Map<number, number>> {
  const rows = await ctx.reads
    .selectFrom('job_targets')
    .select(({ fn }) => ['device_id', 'state', fn.countAll<number>().as('count')])
    .where('device_id', 'in', ctx.database.tools.idList(ids))
    .where('state', 'in', ['ok', 'failed', 'timed-out'])
    .where('finished_at', '>=', now - JOBS_MS)
    .groupBy(['device_id', 'state'])
    .execute();
  return new Map(
    [...Map.groupBy(rows, (row) => row.device_id)].map(([id, own]) => {
      const sum = (states: readonly string[]) =>
        own.filter(({ state }) => states.includes(state)).reduce((total, { count }) => total + Number(count), 0);
      return [id, (sum(['failed', 'timed-out']) * 100) / sum(['ok', 'failed', 'timed-out'])];
    }),
  );
}

/** The newest firmware that the company of each device, or one above it, offers, or the installation. */
async function readFirmware(ctx: Context, devices: readonly Measured[]): Promise<Map<number, 'newest' | 'older' | null>> {
  const files = await ctx.reads
    .selectFrom('files')
    .select(['company_id', 'device_model', 'version'])
    .where('type', 'in', ['firmware', 'global_firmware'])
    .where('version', 'is not', null)
    .distinct()
    .execute();
  const states = new Map<number, 'newest' | 'older' | null>();
  for (const [path, own] of Map.groupBy(devices, (device) => device.company_path)) {
    const above = new Set(idsOnPath(path));
    const newest = newestVersions(files.filter(({ company_id: id }) => id === null || above.has(id)));
    for (const device of own) {
      const state = firmwareStateOf(device, newest);
      states.set(device.id, state === 'unknown' ? null : state);
    }
  }
  return states;
}

async function readUse(ctx: Context, ids: readonly number[], now: number): Promise<Map<number, number>> {
  const rows = await ctx.reads
    .selectFrom(monthUse(now).as('u'))
    .select(['u.device_id', 'u.most', 'u.used'])
    .where('u.device_id', 'in', ctx.database.tools.idList(ids))
    .execute();
  return new Map(rows.flatMap(({ device_id: id, most, used }) => (most > 0 ? [[id, (Number(used) * 100) / most]] : [])));
}

/** The health of devices as it is now, by id. Devices that never came have nothing known. The caller has checked that the actor sees them. */
export async function measureHealth(ctx: Context, ids: readonly number[]): Promise<Map<number, Health>> {
  const now = ctx.clock.now();
  const devices: Measured[] = await ctx.reads
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select([
      'devices.id',
      'devices.model',
      'devices.firmware',
      'devices.status',
      'devices.status_changed_at',
      'devices.last_update_at',
      'devices.mem_total_kb',
      'devices.mem_available_kb',
      'companies.path as company_path',
    ])
    .where('devices.id', 'in', ctx.database.tools.idList(ids))
    .execute();
  const [connection, hours, failures, firmware, use] = await Promise.all([
    readConnection(ctx, devices, now),
    readHours(ctx, ids, now),
    readFailures(ctx, ids, now),
    readFirmware(ctx, devices),
    readUse(ctx, ids, now),
  ]);
  return new Map(
    devices.map((device) => {
      const { id, mem_total_kb: total, mem_available_kb: available, last_update_at: heardAt } = device;
      const isFresh = heardAt !== null && heardAt >= now - READINGS_MS;
      const temperature = hours.temperature.get(id);
      const readings: HealthReadings = {
        connection: connection.get(id) ?? null,
        signal: hours.signal.get(id) ?? null,
        firmware: firmware.get(id) ?? null,
        temperature: temperature === undefined ? null : temperature / 10,
        memory: isFresh && total && available !== null ? (1 - available / total) * 100 : null,
        jobs: failures.get(id) ?? null,
        data: use.get(id) ?? null,
      };
      const scores = scoreParts(readings);
      return [id, { readings, scores, score: scoreOf(scores) }];
    }),
  );
}

const CHUNK = 500;

/** Computes the health of all devices and keeps it for lists, filters and companies. */
export async function computeHealth(ctx: Context): Promise<void> {
  const at = ctx.clock.now();
  for (let last = 0; ;) {
    const devices = await ctx.reads.selectFrom('devices').select('id').where('id', '>', last).orderBy('id').limit(CHUNK).execute();
    const ids = devices.map(({ id }) => id);
    const end = ids.at(-1);
    if (end === undefined) return;
    last = end;
    const found = await measureHealth(ctx, ids);
    const rows = [...found].map(([id, { score, scores }]) => ({ device_id: id, score, ...scores, at }));
    if (rows.length === 0) continue;
    await ctx.db
      .insertInto('device_health')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('device_id').doUpdateSet(({ ref }) => ({
          score: ref('excluded.score'),
          ...Object.fromEntries(HEALTH_PARTS.map((part) => [part, ref(`excluded.${part}`)])),
          at: ref('excluded.at'),
        })),
      )
      .execute();
  }
}
