import { sql } from 'kysely';
import { readVariables } from '../../../schemas/kit/devices/collected.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import type { NewRow, Trx } from '../../db/schema.ts';
import { SECOND } from '../../kernel/clock.ts';
import { afterCommit } from '../../kernel/db/database.ts';
import type { DeviceNews } from '../../domain/devices/watchers.ts';
import { storeReadings, storeStates } from '../../domain/devices/store-readings.ts';
import { askDevices } from './ask-devices.ts';
import { metricOf, type Source } from './sources.ts';

const MOST_TEXT = 200;
/** A device may be this much too early, by the share of its period. */
const EARLY = 0.5;

interface Assigned {
  id: number;
  template_id: number;
  device_id: number;
  period: number;
  last_at: number | null;
  version: number;
  data: string;
}

/** The templates that these devices collect: enabled ones of their company or above it. */
async function readAssigned(ctx: Context, trx: Trx, deviceIds: readonly number[]): Promise<Map<string, Assigned>> {
  const { rows } = await sql<Assigned>`select ma.id, ma.template_id, ma.device_id, ma.period, ma.last_at, mt.version, mt.data
    from monitoring_assignments as ma inner join monitoring_templates as mt on mt.id = ma.template_id and mt.is_enabled = 1
    inner join companies as c on c.id = mt.company_id inner join devices as d on d.id = ma.device_id
    inner join companies as own on own.id = d.company_id and own.path like c.path || '%'
    where ma.is_enabled = 1 and ma.device_id in ${ctx.database.tools.idList(deviceIds)}`.execute(trx);
  return new Map(rows.map((row) => [`${row.device_id} ${row.template_id}`, row]));
}

interface Read {
  data: Record<string, Record<string, JsonValue>>;
  log: string[];
  values: [string, JsonValue][];
}

function readAnswer(assigned: Assigned, answers: readonly { code: number; output: string }[]): Read {
  const read: Read = { data: {}, log: [], values: [] };
  for (const [index, { url, variables }] of (JSON.parse(assigned.data) as Source[]).entries()) {
    const answer = answers[index] ?? { code: 1, output: 'no answer' };
    const { values, faults } = readVariables(url, variables, answer);
    read.data[url] = { ...read.data[url], ...values };
    read.log.push(...faults);
    for (const [id, value] of Object.entries(values)) read.values.push([metricOf(assigned.template_id, id), value]);
  }
  return read;
}

/** Takes what devices collected: readings for the telemetry, the whole answer for `custom-data`, and why variables have no value. */
export async function takeCollected(ctx: Context, trx: Trx, all: readonly DeviceNews[]): Promise<void> {
  const returned = all.filter(
    ({ row, changed }) => row.status === 1 && row.quarantine === null && (changed.has('last_connection_at') || changed.has('status')),
  );
  if (returned.length > 0) afterCommit(trx, () => askReturned(ctx, returned.map(({ row }) => row.id))); // prettier-ignore
  const news = all.filter(({ collected }) => collected !== undefined && collected.length > 0);
  if (news.length === 0) return;
  const at = ctx.clock.now();
  const assigned = await readAssigned(
    ctx,
    trx,
    news.map(({ row }) => row.id),
  );
  const samples: NewRow<'device_samples'>[] = [];
  const states: NewRow<'device_states'>[] = [];
  const reports: NewRow<'monitoring_reports'>[] = [];
  for (const { row, collected = [], readings } of news) {
    for (const { templateId, version, answers, bytes } of collected) {
      const own = assigned.get(`${row.id} ${templateId}`);
      if (!own || own.version !== version) continue;
      if (own.last_at !== null && at < own.last_at + own.period * SECOND * EARLY) continue;
      own.last_at = at;
      await trx.updateTable('monitoring_assignments').set({ last_at: at, last_bytes: bytes }).where('id', '=', own.id).execute();
      const { data, log, values } = readAnswer(own, answers);
      for (const [metric, value] of values) {
        const number = typeof value === 'boolean' ? Number(value) : value;
        if (typeof number === 'number') {
          samples.push({ device_id: row.id, metric, at, value: number });
          readings.set(metric, number);
        } else if (typeof number === 'string') states.push({ device_id: row.id, name: metric, at, value: number.slice(0, MOST_TEXT) });
      }
      reports.push({
        template_id: templateId,
        device_id: row.id,
        company_id: row.company_id,
        at,
        data: JSON.stringify(data),
        log: JSON.stringify(log),
      });
    }
  }
  await write(trx, { samples, states, reports });
}

interface Written {
  samples: NewRow<'device_samples'>[];
  states: NewRow<'device_states'>[];
  reports: NewRow<'monitoring_reports'>[];
}

async function write(trx: Trx, { samples, states, reports }: Written): Promise<void> {
  for (const report of reports) await trx.insertInto('monitoring_reports').values(report).execute();
  for (let start = 0; start < samples.length; start += 250) {
    const names = samples.slice(start, start + 250).map(({ device_id, metric }) => ({ device_id, metric }));
    const known = [...new Map(names.map((name) => [`${name.device_id} ${name.metric}`, name])).values()];
    await trx
      .insertInto('device_metrics')
      .values(known)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await storeReadings(trx, samples);
  const former = new Map<string, string>();
  for (const { device_id, name } of states) {
    const row = await trx
      .selectFrom('device_states')
      .select('value')
      .where('device_id', '=', device_id)
      .where('name', '=', name)
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (row) former.set(`${device_id} ${name}`, row.value);
  }
  await storeStates(
    trx,
    states.filter(({ device_id, name, value }) => former.get(`${device_id} ${name}`) !== value),
  );
}

/** Devices that said hello are given what they are to collect, where there is something or was. */
async function askReturned(ctx: Context, deviceIds: readonly number[]): Promise<void> {
  const rows = await ctx.reads
    .selectFrom('monitoring_assignments')
    .select('device_id')
    .distinct()
    .where('device_id', 'in', ctx.database.tools.idList(deviceIds))
    .execute();
  await askDevices(
    ctx,
    rows.map((row) => row.device_id),
  );
}
