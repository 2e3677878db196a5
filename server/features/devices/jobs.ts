import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { afterCommit } from '../../kernel/db/database.ts';
import { addDeviceEvents } from '../../domain/devices/events.ts';
import { deviceHistory } from '../../domain/devices/history.ts';
import { presentDevice } from '../../domain/devices/present.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { JobDevice, JobKind, Outlook } from '../../domain/jobs/types.ts';
import { putPlaces } from '../../domain/places/put-places.ts';
import { idsOnPath, requireCompany, seesCompany } from '../../kernel/tenancy.ts';
import { findPaths, findTagIds, type Batch } from './batch.ts';
import { removeDevices } from './bin.ts';
import { judgeMove } from './policy.ts';
import { textKey } from '../../kernel/apply-list-query.ts';

async function dropForeignTags(trx: Trx, { ctx, devices }: Batch, newPath: string): Promise<void> {
  const ids = devices.map((device) => device.id);
  await trx
    .deleteFrom('device_tags')
    .where('device_id', 'in', ctx.database.tools.idList(ids))
    .where('tag_id', 'in', (tags) => tags.selectFrom('tags').select('tags.id').where('tags.company_id', 'not in', idsOnPath(newPath)))
    .execute();
}

async function dropForeignSites(trx: Trx, { ctx, devices }: Batch, newPath: string): Promise<void> {
  const ids = devices.map((device) => device.id);
  await trx
    .deleteFrom('device_sites')
    .where('device_id', 'in', ctx.database.tools.idList(ids))
    .where('site_id', 'in', (sites) => sites.selectFrom('sites').select('sites.id').where('sites.company_id', 'not in', idsOnPath(newPath)))
    .execute();
  await putPlaces(trx, ctx, ids, ctx.clock.now());
}

/** SIMs go with the device that they are in; where the other company has a record of a SIM, that one counts from the next report on. */
async function takeSims(trx: Trx, { ctx, devices }: Batch, companyId: number): Promise<void> {
  const ids = ctx.database.tools.idList(devices.map((device) => device.id));
  const held = sql`sims.device_id in ${ids}`;
  const isTaken = sql`exists (select 1 from sims as other where other.iccid = sims.iccid
    and (other.company_id = ${companyId} or (other.device_id in ${ids} and other.id < sims.id)))`;
  await sql`update sims set device_id = null where ${held} and ${isTaken}`.execute(trx);
  await sql`update sims set company_id = ${companyId} where ${held}`.execute(trx);
}

/** Access that the former company gave to single people ends with the move. */
async function dropShares(trx: Trx, { ctx, devices }: Batch): Promise<void> {
  const ids = devices.map((device) => device.id);
  await trx
    .deleteFrom('remote_links')
    .where('entry_id', 'in', (entries) =>
      entries.selectFrom('remote_entries').select('remote_entries.id').where('device_id', 'in', ctx.database.tools.idList(ids)),
    )
    .execute();
}

/** Moves devices to another company. Tags that may not sit there come off; both ends of each move are checked when it happens. */
export async function moveDevices(trx: Trx, batch: Omit<Batch, 'input'> & { input: { company_id: number } }): Promise<void> {
  const { ctx, actor, origin, input } = batch;
  const target = await requireCompany(trx, actor, input.company_id);
  const paths = await findPaths(trx, batch.devices);
  const devices = batch.devices.filter((device) => device.company_id !== target.id);
  if (devices.length === 0) return;
  for (const device of devices) {
    if (judgeMove(actor, { id: device.company_id, path: paths.get(device.company_id) ?? '' }, target) !== 'allow') throw new NotFound({});
  }
  const at = ctx.clock.now();
  const ids = ctx.database.tools.idList(devices.map((device) => device.id));
  const tagsBefore = await findTagIds(trx, { ...batch, devices });
  await trx.updateTable('devices').set({ company_id: target.id, updated_at: at }).where('id', 'in', ids).execute();
  await dropForeignTags(trx, { ...batch, devices }, target.path);
  await dropForeignSites(trx, { ...batch, devices }, target.path);
  await dropShares(trx, { ...batch, devices });
  await takeSims(trx, { ...batch, devices }, target.id);
  const tagsAfter = await findTagIds(trx, { ...batch, devices });
  await writeAudit(
    trx,
    { actor, origin, at },
    devices.flatMap((device) => [
      // For the company that it leaves, which does not learn where to and cannot ask about it any more.
      {
        action: 'devices.leave',
        entity: 'device',
        entityId: null,
        entityName: device.name,
        companyId: device.company_id,
        leftForId: target.id,
        before: null,
        after: null,
      },
      {
        action: 'devices.move',
        entity: 'device',
        entityId: device.id,
        entityName: device.name,
        companyId: target.id,
        before: { ...deviceHistory(device), tag_id: tagsBefore.get(device.id) ?? [] },
        after: {
          ...deviceHistory({ ...device, company_id: target.id, updated_at: at }),
          tag_id: tagsAfter.get(device.id) ?? [],
        },
      },
    ]),
  );
  // @NOTE Before the events: who follows a device of a company that it has left does not learn where it went.
  afterCommit(trx, async () => {
    for (const device of devices) await ctx.live.recheck(`devices.${device.id}.events`);
  });
  await addDeviceEvents(
    ctx,
    trx,
    devices.map((device) => ({
      deviceId: device.id,
      companyId: target.id,
      serial: device.serial,
      type: 'moved',
      params: { user_id: actor.userId },
    })),
  );
  afterCommit(trx, () => {
    for (const device of devices) {
      const from = paths.get(device.company_id) ?? '';
      ctx.live.publishBelow(from, 'devices', 'DeviceRemoved', { id: device.id, company_id: device.company_id });
      // Which tags show depends on who looks: the event carries none, and lists read the row again.
      const { company_path: _path, ...payload } = presentDevice(
        { ...device, company_id: target.id, updated_at: at },
        { companyName: target.name, companyPath: [], tags: [] },
      );
      ctx.live.publishBelow(target.path, 'devices', 'DeviceAdded', payload);
    }
  });
}

/** Where each device comes from, and which of the tags that the actor sees come off. */
async function moveOutlooks(
  { ctx, actor, input }: { ctx: Context; actor: Actor; input: { company_id: number } },
  devices: readonly JobDevice[],
): Promise<Map<number, Outlook>> {
  const target = await requireCompany(ctx.reads, actor, input.company_id);
  const ids = ctx.database.tools.idList(devices.map(({ id }) => id));
  const foreign = await ctx.reads
    .selectFrom('device_tags')
    .innerJoin('tags', 'tags.id', 'device_tags.tag_id')
    .innerJoin('companies', 'companies.id', 'tags.company_id')
    .select(['device_tags.device_id', 'tags.name', 'companies.id', 'companies.path'])
    .where('device_tags.device_id', 'in', ids)
    .where('tags.company_id', 'not in', idsOnPath(target.path))
    .orderBy(textKey(sql.ref('tags.name')))
    .execute();
  const tags = Map.groupBy(
    foreign.filter((tag) => seesCompany(actor, tag)),
    (tag) => tag.device_id,
  );
  const names = await ctx.reads
    .selectFrom('companies')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(devices.map((device) => device.company_id))])
    .execute();
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  return new Map(
    devices.map(({ id, company_id: from }): [number, Outlook] => {
      const lost = tags.get(id)?.map(({ name }) => name) ?? [];
      return [id, { group: { from: nameOf.get(from) ?? null, tags: lost.join(', ') || null }, mobileBytes: 0 }];
    }),
  );
}

export const moveKind: JobKind<{ company_id: number }> = {
  name: 'move',
  permission: 'move_devices',
  skipReason: () => undefined,
  outlooks: moveOutlooks,
  runs: { on: 'server', run: moveDevices },
};

export const removeKind: JobKind<Record<string, never>> = {
  name: 'remove',
  permission: 'delete_devices',
  skipReason: () => undefined,
  runs: { on: 'server', run: removeDevices },
};
