import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import type { Origin } from '../../kernel/actor.ts';
import { writeAudit, type AuditActor } from '../../kernel/audit.ts';
import { afterCommit } from '../../kernel/db/database.ts';

/** As whom, from where and when tags are changed. */
export interface TagChanger {
  actor: AuditActor | null;
  origin: Origin;
  at: number;
}

const changeOf = (before: number[], after: number[]) => ({ before: { tag_id: before }, after: { tag_id: after } });

/** Devices with the tags that may sit there: of their company or one above it. */
function pairsOf(ctx: Context, trx: Trx, deviceIds: readonly number[], tagIds: readonly number[]) {
  return trx
    .selectFrom('devices')
    .innerJoin('companies as own', 'own.id', 'devices.company_id')
    .innerJoin('tags', (join) => join.on('tags.id', 'in', tagIds))
    .innerJoin('companies as holder', 'holder.id', 'tags.company_id')
    .select(['devices.id as device_id', 'devices.name', 'devices.company_id', 'own.path', 'tags.id as tag_id', 'holder.path as holder'])
    .where('devices.id', 'in', ctx.database.tools.idList(deviceIds))
    .execute();
}

async function change(
  ctx: Context,
  trx: Trx,
  by: TagChanger,
  deviceIds: readonly number[],
  tagIds: readonly number[],
  isAdding: boolean,
): Promise<void> {
  if (deviceIds.length === 0 || tagIds.length === 0) return;
  const carried = await trx.selectFrom('device_tags').selectAll().where('device_id', 'in', ctx.database.tools.idList(deviceIds)).execute();
  const has = (device: number, tag: number): boolean => carried.some((pair) => pair.device_id === device && pair.tag_id === tag);
  const changed = (await pairsOf(ctx, trx, deviceIds, tagIds)).filter(({ device_id, tag_id, path, holder }) =>
    isAdding ? path.startsWith(holder) && !has(device_id, tag_id) : has(device_id, tag_id),
  );
  if (changed.length === 0) return;
  const pairs = changed.map(({ device_id, tag_id }) => ({ device_id, tag_id }));
  if (isAdding) await trx.insertInto('device_tags').values(pairs).execute();
  else
    for (const { device_id, tag_id } of pairs)
      await trx.deleteFrom('device_tags').where('device_id', '=', device_id).where('tag_id', '=', tag_id).execute();
  await writeAudit(
    trx,
    by,
    [...Map.groupBy(changed, ({ device_id }) => device_id)].map(([id, tags]) => {
      const before = carried.filter((pair) => pair.device_id === id).map((pair) => pair.tag_id);
      const ids = tags.map(({ tag_id }) => tag_id);
      return {
        action: isAdding ? 'devices.assign-tags' : 'devices.unassign-tags',
        entity: 'device',
        entityId: id,
        entityName: tags[0]?.name ?? '',
        companyId: tags[0]?.company_id ?? null,
        ...changeOf(before, isAdding ? [...before, ...ids] : before.filter((tag) => !ids.includes(tag))),
      };
    }),
  );
  afterCommit(trx, () => {
    for (const { path, tag_id } of changed) ctx.live.publishBelow(path, 'devices', 'DeviceTagsChanged', { tag_id });
  });
}

/** Puts tags on devices; those that cannot sit there, or were removed since, are passed over. They start no actions of theirs. */
export function putTags(ctx: Context, trx: Trx, by: TagChanger, deviceIds: readonly number[], tagIds: readonly number[]): Promise<void> {
  return change(ctx, trx, by, deviceIds, tagIds, true);
}

/** Takes tags off devices. */
export function takeTags(ctx: Context, trx: Trx, by: TagChanger, deviceIds: readonly number[], tagIds: readonly number[]): Promise<void> {
  return change(ctx, trx, by, deviceIds, tagIds, false);
}
