import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { Caller, Origin } from '../../kernel/actor.ts';
import { recordKey, writeAudit } from '../../kernel/audit.ts';
import { DAY } from '../../kernel/clock.ts';
import { emptyDevices } from '../../kernel/db/clean.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { deviceHistory } from '../../domain/devices/history.ts';
import { presentDevice } from '../../domain/devices/present.ts';
import { deleteRemovedDevices } from '../../domain/devices/removed.ts';
import { NotFound } from '../../kernel/errors.ts';
import { BIN_PATH, isVisible, pathEnd } from '../../kernel/tenancy.ts';
import { DeviceJoinedAgain } from './errors.ts';
import { findPaths, findTagIds, type Batch } from './batch.ts';

/** How long a removed device can be restored. */
export const KEPT_MS = 30 * DAY;

const BY_SYSTEM: Origin = { ip: '', requestId: '', userAgent: '' };

/** The company that stands for the bin. */
async function requireBin(trx: Trx, at: number): Promise<number> {
  await trx
    .insertInto('companies')
    .values({ name: '', level: 1, parent_id: null, path: BIN_PATH, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.column('path').doNothing())
    .execute();
  const bin = await trx.selectFrom('companies').select('id').where('path', '=', BIN_PATH).executeTakeFirstOrThrow();
  return bin.id;
}

/** Ends or allows the connections of devices. What a broker does not do is logged: nobody hears a device of the bin. */
async function tellBroker(ctx: Context, what: 'suspend' | 'resume' | 'expel', deviceKeys: readonly string[]): Promise<void> {
  for (const key of deviceKeys) {
    try {
      await ctx.devices[what](key);
    } catch (error) {
      ctx.log.warn({ err: error, device: key }, `the broker could not ${what} a device`);
    }
  }
}

/** Puts devices into the bin with all that is theirs: in no list, without a connection, and to be restored for `KEPT_MS`. */
export async function removeDevices(trx: Trx, batch: Batch): Promise<void> {
  const { ctx, actor, origin, devices } = batch;
  const at = ctx.clock.now();
  const paths = await findPaths(trx, devices);
  const tags = await findTagIds(trx, batch);
  const bin = await requireBin(trx, at);
  const ids = ctx.database.tools.idList(devices.map((device) => device.id));
  await trx
    .insertInto('removed_devices')
    .values(
      devices.map((device) => ({
        device_id: device.id,
        company_id: device.company_id,
        device_key: device.device_key,
        tag_ids: JSON.stringify(tags.get(device.id) ?? []),
        user_name: actor.name,
        removed_at: at,
      })),
    )
    .execute();
  await trx.deleteFrom('device_tags').where('device_id', 'in', ids).execute();
  await trx
    .updateTable('devices')
    .set({
      company_id: bin,
      // A key that nobody has: neither the broker nor a call of the device finds the row.
      device_key: sql<string>`'removed-' || device_key`,
      status: sql<0 | 2 | null>`case when status = 1 then 0 else status end`,
      silent_at: null,
      updated_at: at,
    })
    .where('id', 'in', ids)
    .execute();
  await writeAudit(
    trx,
    { actor, origin, at },
    devices.map((device) => ({
      action: 'devices.remove',
      entity: 'device',
      entityId: device.id,
      entityName: device.name,
      companyId: device.company_id,
      before: { ...deviceHistory(device), tag_id: tags.get(device.id) ?? [] },
      after: null,
    })),
  );
  afterCommit(trx, async () => {
    for (const { id, company_id } of devices) {
      ctx.live.publishBelow(paths.get(company_id) ?? '', 'devices', 'DeviceRemoved', { id, company_id });
      await ctx.live.recheck(`devices.${id}.events`);
    }
    await tellBroker(
      ctx,
      'suspend',
      devices.map((device) => device.device_key),
    );
  });
}

/** A device of the bin with the place that it comes back to. */
interface Binned {
  device: Row<'devices'>;
  record: Row<'removed_devices'>;
  company: { id: number; name: string; path: string };
}

async function findBinned(trx: Trx, caller: Caller, id: number): Promise<Binned> {
  const record = await trx
    .selectFrom('removed_devices')
    .selectAll('removed_devices')
    .where('removed_devices.device_id', '=', id)
    .where(isVisible(caller.actor, 'removed_devices'))
    .executeTakeFirst();
  if (!record) throw new NotFound({});
  const device = await trx.selectFrom('devices').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const company = await trx
    .selectFrom('companies')
    .select(['id', 'name', 'path'])
    .where('id', '=', record.company_id)
    .executeTakeFirstOrThrow();
  return { device, record, company };
}

/** Throws DEVICE_JOINED_AGAIN: the company, or one below it, has a device with this serial number by now, as for a device that joins. */
async function assertNotJoined(ctx: Context, trx: Trx, { device, company }: Binned): Promise<void> {
  if (ctx.database.tools.kind === 'postgres') await sql`select pg_advisory_xact_lock(hashtext(${device.serial}))`.execute(trx);
  const namesake = await trx
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select('devices.id')
    .where('devices.serial', '=', device.serial)
    .where('companies.path', '>=', company.path)
    .where('companies.path', '<', pathEnd(company.path))
    .executeTakeFirst();
  if (namesake) throw new DeviceJoinedAgain({ serial: device.serial });
}

/** Those of the tags that are still there for a device of this company. */
async function keptTags(trx: Trx, { record, company }: Binned): Promise<Row<'tags'>[]> {
  const kept: unknown = JSON.parse(record.tag_ids);
  const ids = Array.isArray(kept) ? kept.filter((id): id is number => typeof id === 'number') : [];
  if (ids.length === 0) return [];
  const above = company.path.split('/').filter(Boolean).map(Number);
  return trx.selectFrom('tags').selectAll().where('id', 'in', ids).where('company_id', 'in', above).execute();
}

/** Says of a restoration which removal it undoes, so that the two count for nothing afterwards. */
async function asUndoing(trx: Trx, origin: Origin, id: number): Promise<Origin> {
  if (origin.undoes) return origin;
  const removal = await trx
    .selectFrom('audit')
    .select('id')
    .where('entity', '=', 'device')
    .where('entity_id', '=', id)
    .where('action', '=', 'devices.remove')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return removal ? { ...origin, undoes: new Map([[recordKey('device', id), removal.id]]) } : origin;
}

async function restoreOne(ctx: Context, trx: Trx, caller: Caller, id: number): Promise<string> {
  const at = ctx.clock.now();
  const binned = await findBinned(trx, caller, id);
  const { record, company } = binned;
  await assertNotJoined(ctx, trx, binned);
  const device = await trx
    .updateTable('devices')
    .set({
      company_id: record.company_id,
      device_key: record.device_key,
      status: sql<0 | 2 | null>`case when status = 1 then 0 else status end`,
      boot_id: null,
      updated_at: at,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const tags = await keptTags(trx, binned);
  if (tags.length > 0)
    await trx
      .insertInto('device_tags')
      .values(tags.map((tag) => ({ device_id: id, tag_id: tag.id })))
      .execute();
  await trx.deleteFrom('removed_devices').where('device_id', '=', id).execute();
  await writeAudit(trx, { actor: caller.actor, origin: await asUndoing(trx, caller.origin, id), at }, [
    {
      action: 'devices.restore',
      entity: 'device',
      entityId: id,
      entityName: device.name,
      companyId: company.id,
      before: null,
      after: { ...deviceHistory(device), tag_id: tags.map((tag) => tag.id) },
    },
  ]);
  // Which tags show depends on who looks: lists read the row again.
  const { company_path: _path, ...payload } = presentDevice(device, { companyName: company.name, companyPath: [], tags: [] });
  afterCommit(trx, () => ctx.live.publishBelow(company.path, 'devices', 'DeviceAdded', payload));
  return record.device_key;
}

/**
 * Brings devices of the bin back with their tags and all that was kept, all or none of them; they connect again by themselves. Throws NOT_FOUND,
 * DEVICE_JOINED_AGAIN when a device with the serial number has joined since.
 */
export async function restoreDevices(ctx: Context, caller: Caller, ids: readonly number[]): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const keys: string[] = [];
    for (const id of ids) keys.push(await restoreOne(ctx, trx, caller, id));
    afterCommit(trx, () => tellBroker(ctx, 'resume', keys));
  });
}

/** Deletes a device of the bin for good, with all that was kept of it. Throws NOT_FOUND. */
export async function deleteForGood(ctx: Context, caller: Caller, id: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const { device, company } = await findBinned(trx, caller, id);
    const gone = await deleteRemovedDevices(trx, [id]);
    await writeAudit(trx, { actor: caller.actor, origin: caller.origin, at }, [
      {
        action: 'devices.purge',
        entity: 'device',
        entityId: id,
        entityName: device.name,
        companyId: company.id,
        before: deviceHistory(device),
        after: null,
      },
    ]);
    afterCommit(trx, () =>
      tellBroker(
        ctx,
        'expel',
        gone.map((one) => one.device_key),
      ),
    );
  });
}

/** Deletes for good what has been in the bin for 30 days, some hundred at a time. */
export async function purgeBin(ctx: Context): Promise<void> {
  const at = ctx.clock.now();
  for (;;) {
    const due = await ctx.reads
      .selectFrom('removed_devices')
      .innerJoin('devices', 'devices.id', 'removed_devices.device_id')
      .select(['devices.id', 'devices.name', 'removed_devices.company_id'])
      .where('removed_devices.removed_at', '<=', at - KEPT_MS)
      .orderBy('removed_devices.removed_at')
      .limit(200)
      .execute();
    if (due.length === 0) return;
    const ids = due.map((device) => device.id);
    await emptyDevices(ctx, ids);
    await inTransaction(ctx.db, async (trx) => {
      const gone = await deleteRemovedDevices(trx, ids);
      const goneIds = new Set(gone.map((one) => one.id));
      await writeAudit(
        trx,
        { actor: null, origin: BY_SYSTEM, at },
        due
          .filter((device) => goneIds.has(device.id))
          .map((device) => ({
            action: 'devices.purge',
            entity: 'device',
            entityId: device.id,
            entityName: device.name,
            companyId: device.company_id,
            before: null,
            after: null,
          })),
      );
      afterCommit(trx, () =>
        tellBroker(
          ctx,
          'expel',
          gone.map((one) => one.device_key),
        ),
      );
    });
  }
}
