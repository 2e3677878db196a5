import type { JsonValue, SelectionInput } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import { isUniqueViolation } from '../../db/dialect.ts';
import type { NewRow, Row, Trx } from '../../db/schema.ts';
import { requirePermission, type Actor, type Origin } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { DAY, wireTime, SECOND } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { emptyCounts } from './counts.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { JobAlreadyRunning } from './errors.ts';
import { evaluateAll } from './evaluate.ts';
import { putFirst } from './first-wave.ts';
import { insertTargets, type Target } from './insert-targets.ts';
import { commonPath } from '../../kernel/job-scope.ts';
import { announceNewJob } from './job-events.ts';
import { permissionOf, type Kinds } from './kinds.ts';
import { maskedInput } from './mask-secrets.ts';
import { jobChannel } from './present-job.ts';
import { isReasonAsked, refuseWithoutReason } from './reasons.ts';
import { targetHash } from './target-hashes.ts';
import { resolveSelection } from './selection.ts';
import { HELD_LIFETIME_MS, waveSize } from './waves.ts';
import { hasWindows } from '../maintenance-windows/device-windows.ts';
import type { JobRequest, StartedJob, WindowRule, Schedule, JobKind } from './types.ts';

const KEY_LIFETIME_MS = DAY;
const JOB_LIFETIME_MS = DAY;
/** Every maintenance window opens within a week. */
const WINDOW_LIFETIME_MS = 8 * DAY;
const MOST_SEARCHED = 2000;

interface Evaluated {
  targets: Target[];
  /** Devices in the first wave; null: as many as in the others. */
  first: number | null;
  seen: number | null;
  times: Times;
  /** null: no device is held to a maintenance window. */
  rule: WindowRule | null;
}

function startedJob(row: Pick<Row<'jobs'>, 'id' | 'total' | 'seen_count'>): StartedJob {
  return { jobId: row.id, channel: jobChannel(row.id), count: row.total, seen: row.seen_count };
}

/** The job that the same person made with the same key within a day. */
async function findByKey(ctx: Context, db: Trx | Context['db'], actor: Actor, key: string | undefined): Promise<Row<'jobs'> | undefined> {
  if (key === undefined) return undefined;
  const job = await db
    .selectFrom('jobs')
    .selectAll()
    .where('created_by', '=', actor.userId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
  if (!job || job.created_at > ctx.clock.now() - KEY_LIFETIME_MS) return job;
  await db.updateTable('jobs').set({ idempotency_key: null }).where('id', '=', job.id).execute();
  return undefined;
}

/** When every device is busy with an equal job, the caller meant to press once: refused, with the way to that job. */
async function refuseRepetition(ctx: Context, targets: Target[], kind: string, input: string): Promise<void> {
  if (targets.length === 0 || targets.some((target) => target.reason !== 'ALREADY_RUNNING')) return;
  const running = await ctx.db
    .selectFrom('jobs')
    .innerJoin('job_targets', 'job_targets.job_id', 'jobs.id')
    .select('jobs.id')
    .where('jobs.kind', '=', kind)
    .where('jobs.input', '=', input)
    .where('job_targets.device_id', '=', targets[0]?.id ?? 0)
    .orderBy('jobs.id', 'desc')
    .executeTakeFirst();
  throw new JobAlreadyRunning({}, running ? { meta: { job_id: running.id, channel: jobChannel(running.id) } } : {});
}

/** What a job is found by: the command that it runs, or the names of the form that started it. Of input without secrets, so that nobody finds those out by searching. */
function searchTextOf({ command, title }: Record<string, JsonValue>): string {
  const titles = typeof title === 'object' && title !== null ? Object.values(title) : [title];
  return [command, ...titles]
    .filter((text) => typeof text === 'string')
    .join(' ')
    .slice(0, MOST_SEARCHED);
}

function lifetimeOf(request: JobRequest, rule: WindowRule | null): number {
  if (request.waves?.approve) return HELD_LIFETIME_MS;
  return rule === 'wait' ? WINDOW_LIFETIME_MS : JOB_LIFETIME_MS;
}

function newJob(
  actor: Actor,
  origin: Origin,
  request: JobRequest,
  { targets, first, seen, times, rule }: Evaluated,
  at: number,
): NewRow<'jobs'> {
  const known = targets.filter((target) => target.companyPath !== '');
  const skipped = targets.filter((target) => target.reason !== undefined).length;
  return {
    kind: request.kind,
    input: JSON.stringify(request.input),
    search_text: searchTextOf(maskedInput(JSON.stringify(request.input))),
    reason: request.reason ?? '',
    state: 'queued',
    total: targets.length,
    counts: JSON.stringify({ ...emptyCounts(), queued: targets.length - skipped, skipped }),
    created_by: actor.userId,
    user_name: actor.name,
    on_behalf_of: actor.onBehalfOf,
    company_id: actor.companyId,
    reach_path: commonPath([actor.companyPath, ...new Set(known.map((target) => target.companyPath))]),
    is_one_company: known.every((target) => target.companyId === actor.companyId) ? 1 : 0,
    origin: JSON.stringify(origin),
    parent_job_id: request.parentJobId ?? null,
    idempotency_key: request.idempotencyKey ?? null,
    selection: request.target.selection ? JSON.stringify(request.target.selection) : null,
    seen_count: seen,
    wave_size: request.waves ? waveSize(request.waves, targets.length - skipped) : null,
    wave_first: first,
    wave_asks: request.waves?.approve ? 1 : 0,
    wave_stop_percent: request.waves?.stop_percent ?? null,
    wave_holds: request.waves?.on_stop === 'hold' ? 1 : 0,
    wave_pause_seconds: request.waves?.pause_seconds ?? null,
    joins_newcomers: request.waves?.newcomers ? 1 : 0,
    starts_at: times.startsAt,
    waits_until: times.waitsUntil,
    window_rule: rule === 'now' ? null : rule,
    deadline_at: Math.max(times.startsAt ?? at, times.waitsUntil ?? 0) + lifetimeOf(request, rule),
    created_at: at,
  };
}

/** A request with its input as its kind completes it. Throws FORBIDDEN, and what the kind throws. */
export async function preparedRequest<R extends JobRequest>(ctx: Context, kinds: Kinds, actor: Actor, request: R): Promise<R> {
  const kind = kinds.get(request.kind);
  requirePermission(actor, permissionOf(kind, request.input));
  return kind.prepare ? { ...request, input: await kind.prepare(ctx, actor, request.input) } : request;
}

/** Whom a request is for and what would happen there: the common part of preview and creation. */
export async function evaluateRequest(
  ctx: Context,
  kinds: Kinds,
  actor: Actor,
  request: JobRequest,
  { isPreview = false } = {},
): Promise<Evaluated> {
  const kind = kinds.get(request.kind);
  requirePermission(actor, permissionOf(kind, request.input));
  if (request.waves && kind.runs.on === 'server')
    throw new InvalidFields([{ source: 'waves', message: 'This runs on the server in one go; waves are for what devices do.' }]);
  if (request.waves?.newcomers && !request.target.selection)
    throw new InvalidFields([{ source: 'waves.newcomers', message: 'Devices can join only where the job is for all that match a query.' }]);
  const { ids, seen } = await resolveSelection(ctx, actor, request.target satisfies SelectionInput);
  const times = readSchedule(request.schedule, kind, ctx.clock.now());
  const isLater = times.startsAt !== null;
  const wanted = request.window ?? kind.windowRule ?? 'now';
  const rule = kind.runs.on === 'device' && (await hasWindows(ctx.db)) ? wanted : null;
  const windows = rule === null ? {} : { windows: { rule, at: times.startsAt ?? ctx.clock.now() } };
  const question = { kind, input: request.input, isLater, mayBeOffline: isLater || times.waitsUntil !== null, isPreview, ...windows };
  const found = await putFirst(ctx, actor, request.waves, await evaluateAll(ctx, actor, ids, question));
  return { ...found, seen, times, rule };
}

/**
 * Writes a job with a row per target in one transaction. The same idempotency key of the same person within a day gives the job made before.
 * Throws FORBIDDEN, JOB_ALREADY_RUNNING, and what the selection throws.
 */
export async function createJob(ctx: Context, kinds: Kinds, actor: Actor, origin: Origin, given: JobRequest): Promise<StartedJob> {
  const earlier = await findByKey(ctx, ctx.db, actor, given.idempotencyKey);
  if (earlier) return startedJob(earlier);
  const request = await preparedRequest(ctx, kinds, actor, given);
  const evaluated = await evaluateRequest(ctx, kinds, actor, request);
  if (request.reason === '' && (await isReasonAsked(ctx, request, evaluated.targets))) refuseWithoutReason();
  await refuseRepetition(ctx, evaluated.targets, request.kind, JSON.stringify(request.input));
  try {
    return await writeJob(ctx, kinds, actor, origin, request, evaluated);
  } catch (error) {
    // Another process was faster with the same key.
    const raced = isUniqueViolation(error) ? await findByKey(ctx, ctx.db, actor, request.idempotencyKey) : undefined;
    if (raced) return startedJob(raced);
    throw error;
  }
}

function writeJob(
  ctx: Context,
  kinds: Kinds,
  actor: Actor,
  origin: Origin,
  request: JobRequest,
  evaluated: Evaluated,
): Promise<StartedJob> {
  const { targets } = evaluated;
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const raced = await findByKey(ctx, trx, actor, request.idempotencyKey);
    if (raced) return startedJob(raced);
    const job = await trx
      .insertInto('jobs')
      .values(newJob(actor, origin, request, evaluated, at))
      .returningAll()
      .executeTakeFirstOrThrow();
    await insertTargets(trx, job.id, targets, { companyId: actor.companyId, at });
    await kinds.get(job.kind).created?.(trx, job);
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: `devices.${request.kind}`,
        entity: 'job',
        entityId: job.id,
        entityName: request.kind,
        companyId: actor.companyId,
        before: null,
        after: {
          kind: request.kind,
          input: maskedInput(job.input),
          total: job.total,
          ...(job.reason === '' ? {} : { reason: job.reason }),
          ...(request.waves ? { waves: { ...request.waves } } : {}),
          ...(job.starts_at === null ? {} : { starts_at: wireTime(job.starts_at) }),
          ...(job.waits_until === null ? {} : { waits_until: wireTime(job.waits_until) }),
          ...(job.window_rule === null ? {} : { window: job.window_rule }),
          targets: targetHash(targets.map((target) => target.id)),
          parent_job_id: job.parent_job_id,
        },
      },
    ]);
    await announceNewJob(ctx, trx, job);
    return startedJob(job);
  });
}

/** The same in Unix milliseconds. */
interface Times {
  startsAt: number | null;
  waitsUntil: number | null;
}

const MOST_AHEAD_MS = 90 * DAY;

/** When a job begins and until when it waits. Throws INVALID_FIELD for a time that is over or too far ahead, and for waiting where no device has to be online. */
function readSchedule(schedule: Schedule | undefined, kind: JobKind, now: number): Times {
  const { starts_at: at, wait_seconds: wait } = schedule ?? {};
  const startsAt = at === undefined ? null : Date.parse(`${at.replace(' ', 'T')}Z`);
  if (startsAt !== null && !(startsAt > now && startsAt <= now + MOST_AHEAD_MS))
    throw new InvalidFields([{ source: 'starts_at', message: 'Choose a time in the next 90 days.' }]);
  if (wait !== undefined && kind.runs.on === 'server')
    throw new InvalidFields([{ source: 'wait_seconds', message: 'The server does this by itself; no device has to be online.' }]);
  return { startsAt, waitsUntil: wait === undefined ? null : (startsAt ?? now) + wait * SECOND };
}
