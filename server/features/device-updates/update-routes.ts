import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { ok, partial } from '../../kernel/answer.ts';
import { applyListQuery, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import { answerJobRequest } from '../../domain/jobs/answer-job-request.ts';
import { ACTIVE_STATES } from '../../domain/jobs/counts.ts';
import { NotWaiting } from '../../domain/jobs/errors.ts';
import { isJobVisible } from '../../kernel/job-scope.ts';
import { jobChannel } from '../../domain/jobs/present-job.ts';
import type { ListQuery, ListRules } from '../../kernel/list-query.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { route, type App } from '../../kernel/route.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { Type, type Static } from '../../kernel/type.ts';
import { requireUpdateFiles } from './choose-files.ts';
import type { Entry, FileRef, UpdateAction, UpdateInput } from './update-input.ts';
import { backupKind, firmwareKind, mixedKind, updateKinds } from './update-kinds.ts';

const tag = 'device update actions';
const MAX_ITEMS = 1000;
const DEFAULT_BACK_WITHIN_MINUTES = 15;
/** So long an update waits for a device that is offline. */
const OFFLINE_WAIT_SECONDS = 30 * 24 * 3600;
/** What the public API calls the kinds of updates. */
const JOB_TYPES: Record<string, number> = { update_firmware: 101, upload_backup: 102, update_devices: 103 };

const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const ids = Type.Array(id, { minItems: 1, maxItems: MAX_ITEMS, uniqueItems: true });
const update = Type.Object(
  {
    id,
    action: Type.Unsafe<UpdateAction>({ type: 'string', enum: ['update_firmware', 'upload_backup'] }),
    file_id: id,
    offline: Type.Boolean(),
    keep_settings: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
const setBody = Type.Object({ data: Type.Array(update, { minItems: 1, maxItems: MAX_ITEMS }) }, { additionalProperties: false });
type Update = Static<typeof update>;

/** One device is in it once, and firmware says what becomes of the settings. */
function assertItems(items: readonly Update[]): void {
  const seen = new Set<number>();
  for (const [index, item] of items.entries()) {
    if (seen.has(item.id)) throw new InvalidFields([{ source: `data.${index}.id`, message: 'This device is in the list already.' }]);
    seen.add(item.id);
    if (item.action === 'update_firmware' && item.keep_settings === undefined)
      throw new InvalidFields([{ source: `data.${index}.keep_settings`, message: 'Say whether the settings stay.' }]);
  }
}

function inputOf(items: readonly Update[], files: ReadonlyMap<number, FileRef>): UpdateInput {
  const entries: Entry[] = [];
  const numbers = new Map<string, number>();
  const choice: UpdateInput['choice'] = {};
  for (const { id: deviceId, action, file_id, offline, keep_settings: keep = true } of items) {
    const file = files.get(file_id);
    if (!file) continue;
    const key = [action, file_id, offline, keep].join();
    const number = numbers.get(key) ?? entries.push({ action, file, keep, offline }) - 1;
    numbers.set(key, number);
    choice[deviceId] = number;
  }
  const gate = { back_within: DEFAULT_BACK_WITHIN_MINUTES, wan: false };
  return { entries, by: 'device', choice, gate, allow_downgrade: true, allow_other_model: true };
}

function registerSet(app: App): void {
  route(app, {
    method: 'POST',
    path: '/devices/updates/set',
    access: { permission: 'execute_device_updates' },
    summary: 'Puts firmware or settings on devices, each its own file.',
    tag,
    body: setBody,
    async handler(call) {
      const { ctx, actor, body } = call;
      assertItems(body.data);
      const wanted = body.data.map(({ file_id, action }, index) => ({ id: file_id, action, source: `data.${index}.file_id` }));
      const files = await requireUpdateFiles(ctx, actor, wanted);
      const actions = new Set(body.data.map(({ action }) => action));
      const [only] = actions.size === 1 ? actions : [];
      const kind = only === 'update_firmware' ? firmwareKind : only === 'upload_backup' ? backupKind : mixedKind;
      const wait = body.data.some(({ offline }) => offline) ? { wait_seconds: OFFLINE_WAIT_SECONDS } : {};
      const devices = { device_id: body.data.map((item) => item.id), ...wait };
      return answerJobRequest({ ...call, body: devices }, { kind: kind.name, input: inputOf(body.data, files) });
    },
  });
}

const rules: ListRules = {
  sorts: new Set(['id', 'name', 'serial']),
  filters: new Map([['device_id', { kind: 'integer', isNegatable: false }]]),
  fields: new Map(['id', 'job_type', 'name', 'serial', 'device_id', 'job_id', 'state'].map((field) => [field, undefined])),
  defaultSort: { key: 'id', isDescending: false },
  isSearchable: true,
};

const columns: ListColumns = {
  id: sql.ref('job_targets.id'),
  sorts: {
    id: { by: sql.ref('job_targets.id') },
    name: { by: sql.ref('devices.name_key') },
    serial: { by: sql.ref('devices.serial') },
  },
  filters: { device_id: (values) => isOneOf(sql.ref('job_targets.device_id'), integers(values)) },
  search: (text) => containsText([sql.ref('devices.name'), sql.ref('devices.serial')], text),
};

/** Updates that are not over, oldest first: `id` is what cancelling one asks for. */
async function listPending(db: Db, actor: Actor, query: ListQuery) {
  const base = db
    .selectFrom('job_targets')
    .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
    .innerJoin('devices', 'devices.id', 'job_targets.device_id')
    .where('job_targets.state', 'in', ACTIVE_STATES)
    .where(
      'jobs.kind',
      'in',
      updateKinds.map(({ name }) => name),
    )
    .where(isJobVisible(actor))
    .where(isVisible(actor, 'devices'))
    .select(['job_targets.id', 'jobs.kind', 'devices.name', 'devices.serial', 'devices.id as device_id', 'jobs.id as job_id'])
    .select('job_targets.state');
  const { rows, total } = await applyListQuery(base, query, columns);
  return { rows: rows.map(({ kind, ...row }) => ({ ...row, job_type: JOB_TYPES[kind] ?? 0 })), total };
}

/** The targets that are named, as far as they are updates of the device that they are named with. */
async function targetsOf(
  ctx: Context,
  actor: Actor,
  items: readonly { id: number; job_id: readonly number[] }[],
): Promise<Map<number, number>> {
  const rows = await ctx.reads
    .selectFrom('job_targets')
    .select(['id', 'device_id'])
    .where('id', 'in', ctx.database.tools.idList(items.flatMap(({ job_id }) => [...job_id])))
    .where(isVisible(actor, 'job_targets'))
    .execute();
  return new Map(rows.map((row) => [row.id, row.device_id]));
}

function registerCancel(app: App): void {
  const item = Type.Object({ id, job_id: ids }, { additionalProperties: false });
  route(app, {
    method: 'POST',
    path: '/devices/updates/cancel',
    access: { permission: 'execute_device_updates' },
    summary: 'Cancels updates that were not sent yet, by the ids of the list of pending ones.',
    tag,
    body: Type.Object({ data: Type.Array(item, { minItems: 1, maxItems: MAX_ITEMS }) }, { additionalProperties: false }),
    async handler({ ctx, actor, origin, body }) {
      const deviceOf = await targetsOf(ctx, actor, body.data);
      const wanted = body.data.flatMap(({ id: deviceId, job_id }) => job_id.filter((target) => deviceOf.get(target) === deviceId));
      const cancelled = new Set(await ctx.jobs.cancelTargets(actor, origin, wanted));
      const isDone = (entry: (typeof body.data)[number]) =>
        entry.job_id.every((target) => cancelled.has(target) && deviceOf.get(target) === entry.id);
      const done = body.data.filter(isDone).map((entry) => entry.id);
      const faults = body.data.flatMap((entry, index) =>
        isDone(entry) ? [] : new NotWaiting({}, { source: `data.${index}.job_id` }).items,
      );
      return faults.length === 0 ? ok(done) : partial(done, faults);
    },
  });
  route(app, {
    method: 'POST',
    path: '/devices/actions/cancel',
    access: { permission: 'execute_device_actions' },
    summary: 'Cancels what jobs have not yet sent to devices: of these jobs, these devices, or both.',
    tag: 'device actions',
    body: Type.Object(
      { device_id: Type.Optional(ids), job_id: Type.Optional(ids) },
      { additionalProperties: false, anyOf: [{ required: ['device_id'] }, { required: ['job_id'] }] },
    ),
    async handler({ ctx, actor, origin, body }) {
      const { device_id: deviceIds, job_id: jobIds } = body;
      let query = ctx.reads
        .selectFrom('job_targets')
        .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
        .select(['job_targets.id', 'jobs.id as job'])
        .where('job_targets.state', '=', 'queued')
        .where(isJobVisible(actor))
        .orderBy('jobs.id');
      if (deviceIds) query = query.where('job_targets.device_id', 'in', ctx.database.tools.idList(deviceIds));
      if (jobIds) query = query.where('jobs.id', 'in', ctx.database.tools.idList(jobIds));
      const waiting = await query.execute();
      const cancelled = new Set(
        await ctx.jobs.cancelTargets(
          actor,
          origin,
          waiting.map((target) => target.id),
        ),
      );
      const first = waiting.find((target) => cancelled.has(target.id));
      if (!first) throw new NotFound({}, { source: jobIds ? 'job_id' : 'device_id' });
      return ok(undefined, { channel: jobChannel(first.job), count: cancelled.size });
    },
  });
}

/** Registers the calls of the public API for updates: to set them, see what waits, and cancel it. */
export function registerUpdateRoutes(app: App): void {
  registerSet(app);
  listRoute(app, {
    path: '/devices/updates/pending',
    access: { permission: 'view_device_updates' },
    summary: 'Updates of devices that are not over.',
    tag,
    rules,
    list: (ctx, actor, query) => listPending(ctx.reads, actor, query),
  });
  registerCancel(app);
}
