import { PERIOD_KEYS } from '../../../schemas/kit/devices/monitoring-parts.ts';
import type { CustomValue, CustomValues } from '../../../schemas/kit/devices/custom-fields.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { App } from '../../kernel/route.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { changedNumbers, changedTexts, keptNumber, keptNumbers, type Change, type Undo } from '../../kernel/undo.ts';
import { restoreDevices } from './bin.ts';
import { editDevices } from './edit.ts';
import { moveDevices } from './jobs.ts';
import { changeTags, changeTagsIn, type TagRequest } from './tag-changes.ts';

const keptTags = ({ before }: Change): number[] => keptNumbers(before, 'tag_id');

const isValue = (value: unknown): value is CustomValue => ['string', 'number', 'boolean'].includes(typeof value);

/** What custom fields held. */
function keptValues({ custom }: Change['before']): CustomValues {
  if (typeof custom !== 'object' || custom === null || Array.isArray(custom)) return {};
  return Object.fromEntries(Object.entries(custom).flatMap(([name, value]) => (isValue(value) ? [[name, value]] : [])));
}

const source = { devices: 'device_id', tags: 'tag_id' };

/** Devices with the tags that they had, one request for each set of tags. */
function tagRequests(changes: readonly Change[]): TagRequest[] {
  const alike = Map.groupBy(changes, (change) => JSON.stringify(keptTags(change)));
  return [...alike.values()].map((group) => ({
    deviceIds: group.map((change) => change.entityId),
    tagIds: group[0] ? keptTags(group[0]) : [],
    source,
  }));
}

const tags: Undo = {
  permission: 'update_tags',
  many: (ctx, caller, changes) => changeTags(ctx, caller, 'overwrite', tagRequests(changes)),
};

async function moveBack(ctx: Context, trx: Trx, { actor, origin }: Caller, changes: readonly Change[]): Promise<void> {
  for (const [companyId, group] of Map.groupBy(changes, ({ before }) => keptNumber(before, 'company_id'))) {
    const devices = await trx
      .selectFrom('devices')
      .selectAll()
      .where('id', 'in', ctx.database.tools.idList(group.map((change) => change.entityId)))
      .where(isVisible(actor, 'devices'))
      .execute();
    if (devices.length < group.length) throw new NotFound({});
    await moveDevices(trx, { ctx, actor, origin, devices, input: { company_id: companyId } });
  }
  // Tags that came off with the move come back with it, as far as they are still there.
  const { undoes: _undoes, ...plainOrigin } = origin;
  for (const request of tagRequests(changes)) {
    if (request.tagIds.length === 0) continue;
    const left = await trx.selectFrom('tags').select('id').where('id', 'in', request.tagIds).where(isVisible(actor, 'tags')).execute();
    const tagIds = left.map((tag) => tag.id);
    await changeTagsIn(ctx, trx, { actor, origin: plainOrigin }, 'assign', [{ ...request, tagIds }]);
  }
}

/** What is done to devices and can be undone: names, tags, and the company that they belong to. */
export function registerDeviceUndos({ undos }: App): void {
  const editBack: NonNullable<Extract<Undo, { many: unknown }>['many']> = (ctx, caller, changes) =>
    editDevices(
      ctx,
      caller,
      changes.map((change) => ({
        id: change.entityId,
        ...changedTexts(change, ['name', 'description']),
        ...changedNumbers(change, ['dynamic_monitoring', ...PERIOD_KEYS, 'user_set_latitude', 'user_set_longitude']),
        ...(change.isChanged('custom') ? { custom: keptValues(change.before) } : {}),
      })),
      () => undefined,
    );
  undos.set('devices.edit', { permission: 'update_devices', many: editBack });
  undos.set('devices.monitoring-periods', { permission: 'update_monitoring', many: editBack });
  for (const action of ['devices.assign-tags', 'devices.unassign-tags', 'devices.overwrite-tags']) undos.set(action, tags);
  undos.set('devices.remove', {
    permission: 'delete_devices',
    many: (ctx, caller, changes) =>
      restoreDevices(
        ctx,
        caller,
        changes.map((change) => change.entityId),
      ),
  });
  undos.set('devices.move', {
    permission: 'move_devices',
    many: (ctx, caller, changes) => inTransaction(ctx.db, (trx) => moveBack(ctx, trx, caller, changes)),
  });
}
