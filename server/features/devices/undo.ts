import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { App } from '../../kernel/route.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { keptNumber, keptText, type Undo } from '../../kernel/undo.ts';
import { editDevices } from './edit.ts';
import { moveDevices } from './jobs.ts';
import { changeTags } from './tag-changes.ts';

const tags: Undo = {
  permission: 'update_tags',
  run(ctx, caller, { entityId, before }) {
    const kept = before['tag_id'];
    const tagIds = Array.isArray(kept) ? kept.filter((id: unknown) => typeof id === 'number') : [];
    return changeTags(ctx, caller, 'overwrite', [{ deviceIds: [entityId], tagIds, source: { devices: 'device_id', tags: 'tag_id' } }]);
  },
};

/** What is done to devices and can be taken back: names, tags, and the company that they belong to. */
export function registerDeviceUndos({ undos }: App): void {
  undos.set('devices.edit', {
    permission: 'update_devices',
    run: (ctx, caller, { entityId, before }) =>
      editDevices(
        ctx,
        caller,
        [{ id: entityId, name: keptText(before, 'name'), description: keptText(before, 'description') }],
        () => undefined,
      ),
  });
  for (const action of ['devices.assign-tags', 'devices.unassign-tags', 'devices.overwrite-tags']) undos.set(action, tags);
  undos.set('devices.move', {
    permission: 'move_devices',
    run: (ctx, { actor, origin }, { entityId, before }) =>
      inTransaction(ctx.db, async (trx) => {
        const devices = await trx.selectFrom('devices').selectAll().where('id', '=', entityId).where(isVisible(actor, 'devices')).execute();
        if (devices.length === 0) throw new NotFound({});
        await moveDevices(trx, { ctx, actor, origin, devices, input: { company_id: keptNumber(before, 'company_id') } });
      }),
  });
}
