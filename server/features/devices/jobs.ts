import type { Row, Trx } from '../../db/schema.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { afterCommit } from '../../kernel/db/database.ts';
import { addDeviceEvents } from '../../kernel/devices/events.ts';
import { sendFarewell } from '../../kernel/devices/farewell.ts';
import { deviceHistory } from '../../kernel/devices/history.ts';
import { presentDevice } from '../../kernel/devices/present.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { JobKind } from '../../kernel/jobs/types.ts';
import { requireCompany } from '../../kernel/tenancy.ts';
import { judgeMove } from './policy.ts';

type ServerRun = Extract<JobKind['runs'], { on: 'server' }>['run'];
type Batch = Parameters<ServerRun>[1];

async function findPaths(trx: Trx, devices: readonly Row<'devices'>[]): Promise<Map<number, string>> {
  const ids = [...new Set(devices.map((device) => device.company_id))];
  const rows = await trx.selectFrom('companies').select(['id', 'path']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row.path]));
}

async function dropForeignTags(trx: Trx, { ctx, devices }: Batch, newPath: string): Promise<void> {
  const steps = newPath.split('/').filter(Boolean).map(Number);
  const ids = devices.map((device) => device.id);
  await trx
    .deleteFrom('device_tags')
    .where('device_id', 'in', ctx.database.tools.idList(ids))
    .where('tag_id', 'in', (tags) => tags.selectFrom('tags').select('tags.id').where('tags.company_id', 'not in', steps))
    .execute();
}

async function findTagIds(trx: Trx, { ctx, devices }: Batch): Promise<Map<number, number[]>> {
  const rows = await trx
    .selectFrom('device_tags')
    .selectAll()
    .where('device_id', 'in', ctx.database.tools.idList(devices.map((device) => device.id)))
    .execute();
  const groups = Map.groupBy(rows, (row) => row.device_id);
  return new Map([...groups].map(([id, pairs]) => [id, pairs.map((pair) => pair.tag_id)]));
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
  const tagsAfter = await findTagIds(trx, { ...batch, devices });
  await writeAudit(
    trx,
    { actor, origin, at },
    devices.flatMap((device) => [
      // For the company that it leaves, which is not told where to and cannot ask about it any more.
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
  // @NOTE Before the events: who follows a device of a company that it has left is not told where it went.
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
      // Which tags show depends on who looks: the event carries none, and lists read the row anew.
      const { company_path: _path, ...payload } = presentDevice(
        { ...device, company_id: target.id, updated_at: at },
        { companyName: target.name, companyPath: [], tags: [] },
      );
      ctx.live.publishBelow(target.path, 'devices', 'DeviceAdded', payload);
    }
  });
}

/** Removes devices with all that is theirs. Their events go with them, the history stays; each is told to forget its credential. */
async function removeDevices(trx: Trx, batch: Batch): Promise<void> {
  const { ctx, actor, origin, devices } = batch;
  const at = ctx.clock.now();
  const paths = await findPaths(trx, devices);
  const tags = await findTagIds(trx, batch);
  await trx
    .deleteFrom('devices')
    .where('id', 'in', ctx.database.tools.idList(devices.map((device) => device.id)))
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
    }
    await sendFarewell(
      ctx,
      devices.map((device) => device.device_key),
    );
  });
}

export const moveKind: JobKind<{ company_id: number }> = {
  name: 'move',
  permission: 'move_devices',
  skipReason: () => undefined,
  runs: { on: 'server', run: moveDevices },
};

export const removeKind: JobKind<Record<string, never>> = {
  name: 'remove',
  permission: 'delete_devices',
  skipReason: () => undefined,
  runs: { on: 'server', run: removeDevices },
};
