import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Device } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import { queueTagActions } from '../../domain/tags/queue-tag-actions.ts';
import { isVisible, seesCompany } from '../../kernel/tenancy.ts';
import { TagHasRule } from './errors.ts';
import { canCarryTag } from './policy.ts';
import { compareTexts } from '../../../schemas/kit/text/text-order.ts';

export type TagMode = 'assign' | 'unassign' | 'overwrite';

/** Devices, distinct, and the tags that the call names for them. */
export interface TagRequest {
  deviceIds: readonly number[];
  tagIds: readonly number[];
  /** Where the call names them, for errors. */
  source: { devices: string; tags: string };
}

interface TagCaller extends Caller {
  /** The rule of the tag asks for it; nobody else changes who carries such a tag. */
  isRule?: boolean;
}

interface KnownTag {
  id: number;
  name: string;
  color: string;
  company_id: number;
  path: string;
  /** The tag itself when a rule says who carries it. */
  rule_of: number | null;
}

interface Changed {
  id: number;
  company_id: number;
  path: string;
  tagIds: number[];
}

// A chunk takes 2 to 5 ms of the event loop; others get their turn in between.
const CHUNK = 250;

async function requireTags(trx: Trx, { actor, isRule }: TagCaller, request: TagRequest): Promise<KnownTag[]> {
  if (request.tagIds.length === 0) return [];
  const tags = await trx
    .selectFrom('tags')
    .innerJoin('companies', 'companies.id', 'tags.company_id')
    .leftJoin('tag_rules', 'tag_rules.tag_id', 'tags.id')
    .select(['tags.id', 'tags.name', 'tags.color', 'tags.company_id', 'companies.path', 'tag_rules.tag_id as rule_of'])
    .where('tags.id', 'in', request.tagIds)
    .where(isVisible(actor, 'tags'))
    .execute();
  const missing = request.tagIds.findIndex((id) => !tags.some((tag) => tag.id === id));
  if (missing !== -1) throw new NotFound({}, { source: `${request.source.tags}.${missing}` });
  const kept = isRule ? undefined : tags.find(({ rule_of: rule }) => rule !== null);
  if (kept) throw new TagHasRule({ tag: kept.name }, { source: request.source.tags });
  return tags;
}

interface ChunkDevice {
  id: number;
  name: string;
  company_id: number;
  path: string;
}

async function findChunk(ctx: Context, trx: Trx, actor: Actor, ids: readonly number[]) {
  const list = ctx.database.tools.idList(ids);
  const devices: ChunkDevice[] = await trx
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select(['devices.id', 'devices.name', 'devices.company_id', 'companies.path'])
    .where('devices.id', 'in', list)
    .where(isVisible(actor, 'devices'))
    .execute();
  const pairs = await trx
    .selectFrom('device_tags')
    .innerJoin('tags', 'tags.id', 'device_tags.tag_id')
    .innerJoin('companies', 'companies.id', 'tags.company_id')
    .leftJoin('tag_rules', 'tag_rules.tag_id', 'tags.id')
    .select(['device_tags.device_id', 'tags.id', 'tags.name', 'tags.color', 'tags.company_id', 'companies.path'])
    .select('tag_rules.tag_id as rule_of')
    .where('device_tags.device_id', 'in', list)
    .execute();
  return { devices, carried: Map.groupBy(pairs, (pair) => pair.device_id) };
}

function assertTagsFit(devices: readonly ChunkDevice[], tags: readonly KnownTag[], source: string): void {
  for (const device of devices) {
    const wrong = tags.find((tag) => !canCarryTag(device.path, tag.path));
    if (wrong) {
      const message = `The tag "${wrong.name}" belongs to another company than the device "${device.name}": it can be put on devices of its own company and of those below.`;
      throw new InvalidFields([{ source, message, params: { tag: wrong.name, device: device.name } }]);
    }
  }
}

/** The tags that a device has afterwards. What the actor cannot see, or a rule keeps, stays as it is. */
function tagsAfter(mode: TagMode, actor: Actor, before: readonly KnownTag[], named: ReadonlySet<number>): number[] {
  const ids = before.map((tag) => tag.id);
  if (mode === 'unassign') return ids.filter((id) => !named.has(id));
  if (mode === 'assign') return [...new Set([...ids, ...named])];
  const hidden = before.filter((tag) => tag.rule_of !== null || !seesCompany(actor, { id: tag.company_id, path: tag.path }));
  return [...new Set([...hidden.map((tag) => tag.id), ...named])];
}

async function writePairs(ctx: Context, trx: Trx, added: readonly [number, number][], removed: readonly [number, number][]): Promise<void> {
  const { tools } = ctx.database;
  const member = (index: number) => sql<number>`cast(item.value ->> ${sql.lit(index)} as bigint)`;
  if (added.length > 0) {
    await sql`insert into device_tags (device_id, tag_id) select ${member(0)}, ${member(1)} from ${tools.jsonRows(added)}`.execute(trx);
  }
  if (removed.length > 0) {
    await sql`delete from device_tags where (device_id, tag_id) in (select ${member(0)}, ${member(1)} from ${tools.jsonRows(removed)})`.execute(
      trx,
    );
  }
}

interface Chunk {
  mode: TagMode;
  request: TagRequest;
  named: readonly KnownTag[];
  ids: readonly number[];
  at: number;
}

/** Changes one chunk and writes its audit rows. Returns the devices whose tags are others than before, and every tag seen on the way. */
async function changeChunk(
  ctx: Context,
  trx: Trx,
  { actor, origin }: TagCaller,
  chunk: Chunk,
): Promise<{ changed: Changed[]; tags: KnownTag[] }> {
  const { mode, request, named, ids, at } = chunk;
  const { devices, carried } = await findChunk(ctx, trx, actor, ids);
  if (devices.length < ids.length) throw new NotFound({}, { source: request.source.devices });
  if (mode !== 'unassign') assertTagsFit(devices, named, request.source.tags);
  const namedIds = new Set(named.map((tag) => tag.id));
  const changed: Changed[] = [];
  const added: [number, number][] = [];
  const removed: [number, number][] = [];
  const entries = devices.flatMap((device) => {
    const before = carried.get(device.id) ?? [];
    const had = new Set(before.map((tag) => tag.id));
    const tagIds = tagsAfter(mode, actor, before, namedIds);
    const has = new Set(tagIds);
    const more = tagIds.filter((id) => !had.has(id));
    const fewer = [...had].filter((id) => !has.has(id));
    if (more.length === 0 && fewer.length === 0) return [];
    for (const id of more) added.push([device.id, id]);
    for (const id of fewer) removed.push([device.id, id]);
    changed.push({ id: device.id, company_id: device.company_id, path: device.path, tagIds });
    return {
      action: `devices.${mode}-tags`,
      entity: 'device',
      entityId: device.id,
      entityName: device.name,
      companyId: device.company_id,
      before: { tag_id: [...had] },
      after: { tag_id: tagIds },
    };
  });
  await writePairs(ctx, trx, added, removed);
  await queueTagActions(ctx, trx, added);
  await writeAudit(trx, { actor, origin, at }, entries);
  return { changed, tags: [...carried.values()].flat() };
}

/** The tags of a device as each company on its path sees them: those of that company and of the ones below it. */
function tagsByDepth(device: Changed, tags: ReadonlyMap<number, KnownTag>): Device['tags'][] {
  const own = device.tagIds.flatMap((id) => tags.get(id) ?? []).sort((a, b) => compareTexts(a.name, b.name));
  const steps = device.path.split('/').slice(1, -1);
  return steps.map((_, depth) => {
    const path = `/${steps.slice(0, depth + 1).join('/')}/`;
    return own.filter((tag) => tag.path.startsWith(path)).map(({ id, name, color }) => ({ id, name, color: color || null }));
  });
}

async function announce(ctx: Context, changed: readonly Changed[], tags: ReadonlyMap<number, KnownTag>): Promise<void> {
  for (const [index, device] of changed.entries()) {
    if (index % CHUNK === CHUNK - 1) await nextTurn();
    const { id, company_id } = device;
    const byDepth = tagsByDepth(device, tags).map((visible) => ({ id, company_id, tags: visible }));
    const [all] = byDepth;
    if (all) ctx.live.publishBelow(device.path, 'devices', 'DeviceChanged', all, { byDepth });
  }
}

/** The same as `changeTags` within a transaction. */
export async function changeTagsIn(
  ctx: Context,
  trx: Trx,
  caller: TagCaller,
  mode: TagMode,
  requests: readonly TagRequest[],
): Promise<number> {
  const at = ctx.clock.now();
  const changed: Changed[] = [];
  const tags = new Map<number, KnownTag>();
  for (const request of requests) {
    const named = await requireTags(trx, caller, request);
    for (const tag of named) tags.set(tag.id, tag);
    for (let start = 0; start < request.deviceIds.length; start += CHUNK) {
      const ids = request.deviceIds.slice(start, start + CHUNK);
      const done = await changeChunk(ctx, trx, caller, { mode, request, named, ids, at });
      for (const tag of done.tags) tags.set(tag.id, tag);
      changed.push(...done.changed);
      await nextTurn();
    }
  }
  afterCommit(trx, () => announce(ctx, changed, tags));
  return changed.length;
}

/**
 * Puts tags on devices, takes them off, or makes them the only ones, for all the devices or none. Returns how many devices changed.
 * Throws NOT_FOUND at the tag or the devices, TAG_HAS_RULE, INVALID_FIELD for a tag that may not sit on one of them.
 */
export async function changeTags(ctx: Context, caller: TagCaller, mode: TagMode, requests: readonly TagRequest[]): Promise<number> {
  return inTransaction(ctx.db, (trx) => changeTagsIn(ctx, trx, caller, mode, requests));
}
