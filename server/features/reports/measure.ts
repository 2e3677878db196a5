import { sql } from 'kysely';
import { changedSince } from '../../domain/devices/changed-since.ts';
import type { Context } from '../../context.ts';
import type { NewRow, Row, Trx } from '../../db/schema.ts';
import { deviceOpeningsWithin } from '../../domain/maintenance-windows/device-windows.ts';
import { deafPeriods } from '../../domain/devices/hearing.ts';
import { presenceOf } from './presence.ts';
import type { Period } from './periods.ts';
import { REPORT_KIND } from './types.ts';
import type { Parameter } from './types.ts';

type Device = Row<'devices'>;
const METRICS = ['signal', 'temperature', 'router_uptime'] as const;
const STATES = ['status', 'operator', 'connection_type'] as const;

interface Sums {
  device_id: number;
  metric: string;
  lowest: number;
  highest: number;
  average: number;
}

/** By the days that the charts of the device page are drawn from. */
function readSums(trx: Trx, ids: ReturnType<Context['database']['tools']['idList']>, { start, end }: Period): Promise<Sums[]> {
  return trx
    .selectFrom('device_days')
    .select(['device_id', 'metric'])
    .select(({ fn }) => [fn.min('lowest').as('lowest'), fn.max('highest').as('highest')])
    .select(sql<number>`sum(total) / sum(readings)`.as('average'))
    .where('device_id', 'in', ids)
    .where('metric', 'in', METRICS)
    .where('at', '>=', start)
    .where('at', '<', end)
    .groupBy(['device_id', 'metric'])
    .execute();
}

function readTraffic(trx: Trx, ids: ReturnType<Context['database']['tools']['idList']>, { start, end }: Period) {
  return trx
    .selectFrom('device_traffic')
    .selectAll()
    .where('device_id', 'in', ids)
    .where('day', '>=', start)
    .where('day', '<', end)
    .execute();
}

/** Changes of texts in the period, and the last one before it. */
function readChanges(trx: Trx, ids: ReturnType<Context['database']['tools']['idList']>, { start, end }: Period) {
  return trx
    .selectFrom('device_states')
    .selectAll()
    .where('device_id', 'in', ids)
    .where('name', 'in', STATES)
    .where('at', '<', end)
    .where(changedSince(start))
    .orderBy('at')
    .execute();
}

function readActions(trx: Trx, ids: ReturnType<Context['database']['tools']['idList']>, { start, end }: Period) {
  return trx
    .selectFrom('job_targets')
    .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
    .select(['job_targets.device_id', 'job_targets.state', sql<number>`count(*)`.as('count')])
    .where('job_targets.device_id', 'in', ids)
    .where('job_targets.state', 'in', ['ok', 'failed', 'timed-out'])
    .where('job_targets.finished_at', '>=', start)
    .where('job_targets.finished_at', '<', end)
    .where('jobs.kind', '<>', REPORT_KIND)
    .groupBy(['job_targets.device_id', 'job_targets.state'])
    .execute();
}

function readAlerts(trx: Trx, ids: ReturnType<Context['database']['tools']['idList']>, { start, end }: Period) {
  return trx
    .selectFrom('alerts')
    .select(['device_id', sql<number>`count(*)`.as('count')])
    .where('device_id', 'in', ids)
    .where('raised_at', '>=', start)
    .where('raised_at', '<', end)
    .groupBy('device_id')
    .execute();
}

function readSites(trx: Trx, ids: ReturnType<Context['database']['tools']['idList']>) {
  return trx
    .selectFrom('device_sites')
    .innerJoin('sites', 'sites.id', 'device_sites.site_id')
    .select(['device_sites.device_id', 'sites.name'])
    .where('device_sites.device_id', 'in', ids)
    .execute();
}

interface Call {
  ctx: Context;
  generatedId: number;
  parameters: ReadonlySet<Parameter>;
  period: Period;
  companies: ReadonlyMap<number, { name: string; path: string }>;
}

const sumOf = (rows: readonly number[]): number => rows.reduce((sum, value) => sum + value, 0);

/** What a report says of these devices, and what they sent and received by company and day. */
export async function measure(
  trx: Trx,
  devices: readonly Device[],
  { ctx, generatedId, parameters, period, companies }: Call,
): Promise<{ row: NewRow<'report_devices'>; days: { day: number; sent: number; received: number }[] }[]> {
  const ids = ctx.database.tools.idList(devices.map(({ id }) => id));
  const has = (...names: Parameter[]): boolean => names.some((name) => parameters.has(name));
  const places = devices.map((device) => ({ ...device, company_path: companies.get(device.company_id)?.path ?? '/' }));
  const sums = has('signal', 'temperature', 'router_uptime') ? await readSums(trx, ids, period) : [];
  const traffic = Map.groupBy(has('data_usage') ? await readTraffic(trx, ids, period) : [], (row) => row.device_id);
  const changes = Map.groupBy(
    has('connection_uptime', 'availability', 'operator', 'connection_type') ? await readChanges(trx, ids, period) : [],
    (row) => `${row.device_id} ${row.name}`,
  );
  const openings = has('availability') ? await deviceOpeningsWithin(ctx, trx, places, period) : undefined;
  const actions = has('actions') ? await readActions(trx, ids, period) : [];
  const alertsOf = new Map((has('alerts') ? await readAlerts(trx, ids, period) : []).map((row) => [row.device_id, Number(row.count)]));
  const sumsOf = new Map(sums.map((row) => [`${row.device_id} ${row.metric}`, row]));
  const siteOf = new Map((await readSites(trx, ids)).map(({ device_id, name }) => [device_id, name]));
  const actionsOf = Map.groupBy(actions, (row) => row.device_id);
  const now = ctx.clock.now();
  const deaf = await deafPeriods(trx, period, now);
  return devices.map((device) => {
    const sumFor = (metric: Parameter): Sums | undefined => (has(metric) ? sumsOf.get(`${device.id} ${metric}`) : undefined);
    const [signal, temperature, uptime] = [sumFor('signal'), sumFor('temperature'), sumFor('router_uptime')];
    const own = traffic.get(device.id) ?? [];
    const presence = presenceOf(
      device,
      { changes: changes.get(`${device.id} status`) ?? [], openings: openings?.get(device.id) ?? [], deaf },
      period,
      now,
    );
    const lastOf = (name: 'operator' | 'connection_type') =>
      has(name) ? (changes.get(`${device.id} ${name}`)?.at(-1)?.value ?? null) : null;
    const sims = [...Map.groupBy(own, (row) => row.sim)].map(([sim, rows]) => ({
      sim,
      sent: sumOf(rows.map((row) => row.sent)),
      received: sumOf(rows.map((row) => row.received)),
    }));
    const done = (isOk: boolean) =>
      has('actions')
        ? sumOf((actionsOf.get(device.id) ?? []).flatMap((row) => ((row.state === 'ok') === isOk ? Number(row.count) : [])))
        : null;
    return {
      row: {
        generated_id: generatedId,
        device_id: device.id,
        company_id: device.company_id,
        name: device.name,
        serial: device.serial,
        mac: device.mac,
        company_name: companies.get(device.company_id)?.name ?? '',
        site_name: siteOf.get(device.id) ?? null,
        sent: has('data_usage') ? sumOf(own.map((row) => row.sent)) : null,
        received: has('data_usage') ? sumOf(own.map((row) => row.received)) : null,
        sims: has('data_usage') ? JSON.stringify(sims) : null,
        min_signal: signal?.lowest ?? null,
        max_signal: signal?.highest ?? null,
        avg_signal: signal?.average ?? null,
        min_temperature: temperature?.lowest ?? null,
        max_temperature: temperature?.highest ?? null,
        avg_temperature: temperature?.average ?? null,
        router_uptime: uptime?.highest ?? null,
        connection_uptime: has('connection_uptime') ? presence.connection_uptime : null,
        availability: has('availability') ? presence.availability : null,
        operator: lastOf('operator'),
        connection_type: lastOf('connection_type'),
        firmware: has('firmware') ? device.firmware : null,
        actions_done: done(true),
        actions_failed: done(false),
        alerts: has('alerts') ? (alertsOf.get(device.id) ?? 0) : null,
      },
      days: [...Map.groupBy(own, (row) => row.day)].map(([day, rows]) => ({
        day,
        sent: sumOf(rows.map((row) => row.sent)),
        received: sumOf(rows.map((row) => row.received)),
      })),
    };
  });
}
