import type { DeviceEvent, PermissionName } from '../../../schemas/_generated/contract.ts';
import { sql } from 'kysely';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { presentDeviceEvent } from '../../domain/devices/events.ts';
import { isJobVisible } from '../../kernel/job-scope.ts';
import { maskedInput } from '../../domain/jobs/mask-secrets.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { visibleEntries } from '../../kernel/visible-entries.ts';

/** What a timeline is made of, in the order of entries of one moment. */
export const TIMELINE_KINDS = ['change', 'note', 'job', 'event'] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

const PERMISSIONS: Record<TimelineKind, PermissionName> = {
  change: 'view_history',
  note: 'view_devices',
  job: 'view_device_actions',
  event: 'view_device_logs',
};
const FIRST_LINE = 300;
// 1790000000000-job-12
const CURSOR = /^(\d{1,16})-(change|note|job|event)-(\d{1,15})$/;

/** Everything before an entry: of one moment, kinds in their order, the newest of a kind first. */
interface Cursor {
  at: number;
  kind: TimelineKind;
  id: number;
}

interface JobOfDevice extends Pick<Row<'job_targets'>, 'job_id' | 'state' | 'reason' | 'message' | 'code' | 'output'> {
  kind: string;
  input: Record<string, JsonValue>;
  user_name: string;
  finished_at: string | null;
}

/** What an entry is about, by its kind. */
interface Subject {
  change?: { action: string; user_name: string | null; entity_name: string | null };
  note?: { text: string; user_name: string };
  job?: JobOfDevice;
  event?: DeviceEvent;
}

interface Entry {
  at: number;
  kind: TimelineKind;
  id: number;
  subject: Subject;
}

interface Asked {
  ctx: Context;
  actor: Actor;
  device: Row<'devices'>;
  before: Cursor | undefined;
  limit: number;
}

/** Throws INVALID_FIELD for a text that is no cursor. */
function parseCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined;
  const [, at, name, id] = CURSOR.exec(text) ?? [];
  const kind = TIMELINE_KINDS.find((one) => one === name);
  if (kind === undefined) throw new InvalidFields([{ source: 'before', message: 'Use the cursor of an answer.' }]);
  return { at: Number(at), kind, id: Number(id) };
}

/** The condition "older than the cursor" for a source with these columns. */
function isBefore(kind: TimelineKind, before: Cursor | undefined, at: string, id: string) {
  if (!before) return sql<boolean>`1 = 1`;
  const [own, other] = [TIMELINE_KINDS.indexOf(kind), TIMELINE_KINDS.indexOf(before.kind)];
  // Of the same moment come those of later kinds whole, those of earlier ones not at all.
  if (own > other) return sql<boolean>`${sql.ref(at)} <= ${before.at}`;
  if (own < other) return sql<boolean>`${sql.ref(at)} < ${before.at}`;
  return sql<boolean>`(${sql.ref(at)} < ${before.at} or (${sql.ref(at)} = ${before.at} and ${sql.ref(id)} < ${before.id}))`;
}

async function readEvents({ ctx, actor, device, before, limit }: Asked): Promise<Entry[]> {
  const rows = await ctx.reads
    .selectFrom('device_events')
    .selectAll()
    .where('device_id', '=', device.id)
    .where(isVisible(actor, 'device_events'))
    .where(isBefore('event', before, 'device_events.at', 'device_events.id'))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ at: row.at, kind: 'event', id: row.id, subject: { event: presentDeviceEvent(row, device.serial) } }));
}

/** The first line of what a command printed. */
function firstLine(output: string | null): string | null {
  return output?.split('\n', 1)[0]?.trim().slice(0, FIRST_LINE) || null;
}

async function readJobs({ ctx, actor, device, before, limit }: Asked): Promise<Entry[]> {
  const rows = await ctx.reads
    .selectFrom('job_targets')
    .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
    .select(['job_targets.id', 'job_targets.job_id', 'job_targets.state', 'job_targets.reason', 'job_targets.message', 'job_targets.code'])
    .select(['job_targets.finished_at', 'jobs.kind', 'jobs.input', 'jobs.user_name', 'jobs.created_at'])
    .select((eb) => eb.fn<string | null>('substr', ['job_targets.output', eb.val(1), eb.val(FIRST_LINE * 2)]).as('output'))
    .where('job_targets.device_id', '=', device.id)
    .where(isJobVisible(actor))
    .where(isVisible(actor, 'job_targets'))
    .where(isBefore('job', before, 'jobs.created_at', 'job_targets.id'))
    .orderBy('jobs.created_at', 'desc')
    .orderBy('job_targets.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ created_at: at, finished_at, input, output, id, ...row }) => ({
    at,
    kind: 'job',
    id,
    subject: { job: { ...row, input: maskedInput(input), output: firstLine(output), finished_at: wireTime(finished_at) } },
  }));
}

async function readChanges({ ctx, actor, device, before, limit }: Asked): Promise<Entry[]> {
  const rows = await ctx.reads
    .selectFrom('audit')
    .select(['audit.id', 'audit.at', 'audit.action', 'audit.actor_name', 'audit.entity_name'])
    .where('audit.entity', '=', 'device')
    .where('audit.entity_id', '=', device.id)
    .where(visibleEntries(actor))
    .where(isBefore('change', before, 'audit.at', 'audit.id'))
    .orderBy('audit.at', 'desc')
    .orderBy('audit.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, at, action, actor_name, entity_name }) => ({
    at,
    kind: 'change',
    id,
    subject: { change: { action, user_name: actor_name, entity_name } },
  }));
}

/** What people noted. Who sees the device sees its notes. */
async function readNotes({ ctx, device, before, limit }: Asked): Promise<Entry[]> {
  const rows = await ctx.reads
    .selectFrom('device_notes')
    .select(['id', 'created_at', 'text', 'user_name'])
    .where('device_id', '=', device.id)
    .where(isBefore('note', before, 'device_notes.created_at', 'device_notes.id'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, created_at: at, text, user_name }) => ({ at, kind: 'note', id, subject: { note: { text, user_name } } }));
}

const READERS: Record<TimelineKind, (asked: Asked) => Promise<Entry[]>> = {
  change: readChanges,
  note: readNotes,
  job: readJobs,
  event: readEvents,
};

/**
 * What happened to a device, from all sources that the actor may read, newest first. `next` is the cursor of the page after it, null after the
 * last one. The caller has checked that the actor sees the device.
 */
export async function readTimeline(
  ctx: Context,
  actor: Actor,
  device: Row<'devices'>,
  { kinds = TIMELINE_KINDS, before, limit }: { kinds?: readonly TimelineKind[] | undefined; before?: string | undefined; limit: number },
) {
  const asked: Asked = { ctx, actor, device, before: parseCursor(before), limit: limit + 1 };
  const wanted = TIMELINE_KINDS.filter((kind) => kinds.includes(kind) && can(actor, PERMISSIONS[kind]));
  const found = await Promise.all(wanted.map((kind) => READERS[kind](asked)));
  const order = (kind: TimelineKind): number => TIMELINE_KINDS.indexOf(kind);
  const entries = found.flat().toSorted((a, b) => b.at - a.at || order(a.kind) - order(b.kind) || b.id - a.id);
  const page = entries.slice(0, limit);
  const last = page.at(-1);
  return {
    entries: page.map(({ at, kind, id, subject }) => ({ id: `${at}-${kind}-${id}`, kind, created_at: wireTime(at), ...subject })),
    next: entries.length > limit && last ? `${last.at}-${last.kind}-${last.id}` : null,
  };
}
