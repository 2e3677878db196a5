import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { BIN_PATH, seesCompany } from '../../kernel/tenancy.ts';
import { ACTIVE_STATES } from './counts.ts';
import { deviceOpenings } from '../maintenance-windows/device-windows.ts';
import { PLANNED_COLUMNS, type JobKind, type Outlook, type PlannedDevice, type SkipReason, type WindowRule } from './types.ts';

/** Rows read or written between two turns of the event loop. */
export const CHUNK = 250;

/** A target without the device's own row. */
export interface PlannedTarget {
  id: number;
  name: string;
  companyId: number;
  companyPath: string;
  reason: SkipReason | undefined;
  /** Of devices that it runs on, when the question asks for it. */
  outlook?: Outlook;
  /** When its maintenance window opens, Unix milliseconds; undefined while it is open, and where it has none. */
  opensAt?: number;
}

export interface EvaluatedTarget extends PlannedTarget {
  /** Undefined when the device is gone. */
  device: (Row<'devices'> & { company_name: string }) | undefined;
}

type Read = { company_path: string; company_name: string };

interface Question {
  kind: JobKind;
  input: unknown;
  /** The job that asks; jobs made before it have the older right to a device. */
  jobId?: number;
  /** The job begins later: what is under way now says nothing. */
  isLater?: boolean;
  /** A device that is offline now may be back when its turn comes. */
  mayBeOffline?: boolean;
  isPreview?: boolean;
  /** What becomes of devices outside their maintenance window at a moment; without it windows count for nothing. */
  windows?: { rule: WindowRule; at: number };
  /** No equal job is under way anywhere: no device has to be asked for one. */
  isAlone?: boolean;
}

/** Devices that an equal job (same kind, same input) made earlier has not finished with. */
async function findBusy(
  db: Db,
  ctx: Pick<Context, 'database' | 'clock'>,
  ids: readonly number[],
  question: Question,
): Promise<Set<number>> {
  let query = db
    .selectFrom('job_targets')
    .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
    .select('job_targets.device_id')
    .where('job_targets.device_id', 'in', ctx.database.tools.idList(ids))
    .where('job_targets.state', 'in', ACTIVE_STATES)
    .where('jobs.kind', '=', question.kind.name)
    .where('jobs.input', '=', JSON.stringify(question.input))
    .where((eb) => eb.or([eb('jobs.starts_at', 'is', null), eb('jobs.starts_at', '<=', ctx.clock.now())]));
  if (question.jobId !== undefined) query = query.where('jobs.id', '<', question.jobId);
  return new Set((await query.execute()).map((row) => row.device_id));
}

function reasonFor(
  actor: Actor,
  { kind, input, mayBeOffline = false }: Question,
  device: PlannedDevice & { company_name: string },
  path: string,
  busy: Set<number>,
): SkipReason | undefined {
  if (!seesCompany(actor, { id: device.company_id, path })) return 'NO_RIGHT';
  if (kind.runs.on === 'device') {
    if (device.quarantine !== null) return 'QUARANTINED';
    if (device.status === null) return 'NOT_ACTIVATED';
    if (device.status !== 1 && !mayBeOffline) return 'OFFLINE';
  }
  return kind.skipReason(device, input) ?? (busy.has(device.id) ? 'ALREADY_RUNNING' : undefined);
}

/** Says for each of these devices, as they were read, whether the job would run on it now, and if not, why. The same for preview, creation and the moment of sending. */
async function judge(
  ctx: Context,
  db: Db,
  actor: Actor,
  { ids, rows, question }: { ids: readonly number[]; rows: readonly (PlannedDevice & Read)[]; question: Question },
): Promise<PlannedTarget[]> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const refused = (await question.kind.refusals?.(ctx, rows, question.input)) ?? new Map<number, SkipReason>();
  const busy = question.isLater || question.isAlone ? new Set<number>() : await findBusy(db, ctx, ids, question);
  const outlooks = question.isPreview ? await question.kind.outlooks?.({ ctx, actor, input: question.input }, rows) : undefined;
  const { windows } = question;
  const openings = windows ? await deviceOpenings(ctx, db, rows, windows.at) : undefined;
  return ids.map((id) => {
    const device = byId.get(id);
    if (!device) return { id, name: '', companyId: 0, companyPath: '', reason: 'GONE' };
    const opening = openings?.get(id);
    const opensAt = windows && opening && opening.from > windows.at ? opening.from : undefined;
    const isRefused = opensAt !== undefined && windows?.rule === 'refuse';
    const mayBeOffline = question.mayBeOffline || (opensAt !== undefined && windows?.rule === 'wait');
    const reason =
      reasonFor(actor, { ...question, mayBeOffline }, device, device.company_path, busy) ??
      refused.get(id) ??
      (isRefused ? 'OUTSIDE_WINDOW' : undefined);
    const isForecast = question.isPreview && reason === undefined;
    const outlook = isForecast ? (outlooks?.get(id) ?? question.kind.outlook?.(device, question.input)) : undefined;
    const found = { id, name: device.name, companyId: device.company_id, companyPath: device.company_path, reason };
    const target = opensAt === undefined ? found : { ...found, opensAt };
    return outlook ? { ...target, outlook } : target;
  });
}

const readFrom = (ctx: Pick<Context, 'database'>, db: Db, ids: readonly number[]) =>
  db
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select(['companies.path as company_path', 'companies.name as company_name'])
    .where('devices.id', 'in', ctx.database.tools.idList(ids))
    .where('companies.path', '<>', BIN_PATH);

/** Devices with what becomes of them now, each with its whole row. */
export async function evaluateChunk(
  ctx: Context,
  db: Db,
  actor: Actor,
  ids: readonly number[],
  question: Question,
): Promise<EvaluatedTarget[]> {
  const rows = await readFrom(ctx, db, ids).selectAll('devices').execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const judged = await judge(ctx, db, actor, { ids, rows, question });
  return judged.map((target) => Object.assign(target, { device: byId.get(target.id) }));
}

const PLANNED = PLANNED_COLUMNS.map((name) => `devices.${name}` as const);

/** Whether any equal job (same kind, same input) is not over. */
async function hasEqual(db: Db, { kind, input }: Question): Promise<boolean> {
  const found = await db
    .selectFrom('jobs')
    .select('id')
    .where('state', 'in', ['queued', 'running'])
    .where('kind', '=', kind.name)
    .where('input', '=', JSON.stringify(input))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** What becomes of any number of devices, with a turn of the event loop between two chunks. */
export async function evaluateAll(ctx: Context, actor: Actor, ids: readonly number[], question: Question): Promise<PlannedTarget[]> {
  const all: PlannedTarget[] = [];
  const isAlone = question.isLater || !(await hasEqual(ctx.db, question));
  for (let start = 0; start < ids.length; start += CHUNK) {
    if (start > 0) await nextTurn();
    const part = ids.slice(start, start + CHUNK);
    const rows = await readFrom(ctx, ctx.db, part).select(PLANNED).execute();
    for (const target of await judge(ctx, ctx.db, actor, { ids: part, rows, question: { ...question, isAlone } })) all.push(target);
  }
  return all;
}
