import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { openingOfDevice } from './device-window.ts';
import { addWindow, editWindow, getWindow, listWindows, removeWindow } from './windows.ts';

const access = { permission: 'view_device_updates' } as const;
const tag = 'maintenance windows';

/** Registers the room of the times at which devices may be worked on. */
export function registerMaintenanceWindows(app: App): void {
  listRoute(app, {
    path: '/maintenance-windows',
    access,
    summary: 'When devices may be worked on.',
    tag,
    rules: listRulesOf('maintenance-windows', { sorts: ['id'] }),
    list: (ctx, actor, query) => listWindows(ctx, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/maintenance-windows/:id',
    access,
    summary: 'One maintenance window.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getWindow(ctx, actor, params.id)),
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/maintenance-window',
    access,
    summary: 'The maintenance window of a device that is open or opens next; null members where it has none.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await openingOfDevice(ctx, actor, params.id)),
  });
  formRoute(app, 'maintenance-windows/new', async ({ ctx, actor, origin, body }) => {
    const id = await addWindow(ctx, { actor, origin }, body);
    return created({ id }, { id });
  });
  formRoute(app, 'maintenance-windows/edit', async ({ ctx, actor, origin, params, body }) => {
    await editWindow(ctx, { actor, origin }, params.id, body);
    return ok(await getWindow(ctx, actor, params.id));
  });
  formRoute(app, 'maintenance-windows/remove', async ({ ctx, actor, origin, params }) => {
    await removeWindow(ctx, { actor, origin }, params.id);
    return ok();
  });
}
