import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { decideSerial, getSerial, importSerials, listSerials, removeSerial } from './serial-numbers.ts';

const access = { permission: 'super_admin' } as const;
const tag = 'devices';

/** Registers the room of serial numbers that may join this installation, or may not. */
export function registerSerialNumbers(app: App): void {
  listRoute(app, {
    path: '/system/serial-numbers',
    access,
    summary: 'Serial numbers that are approved or denied.',
    tag,
    rules: listRulesOf('serial-numbers', { sorts: ['id'] }),
    list: (ctx, _actor, query) => listSerials(ctx.reads, query),
  });
  route(app, {
    method: 'GET',
    path: '/system/serial-numbers/:id',
    access,
    summary: 'One serial number that is approved or denied.',
    tag,
    params: idParams,
    handler: async ({ ctx, params }) => ok(await getSerial(ctx, params.id)),
  });
  formRoute(app, 'serial-numbers/import', async ({ ctx, actor, origin, body }) =>
    created(await importSerials(ctx, { actor, origin }, body)),
  );
  formRoute(app, 'serial-numbers/edit', async ({ ctx, actor, origin, params, body }) => {
    await decideSerial(ctx, { actor, origin }, params.id, body.status);
    return ok();
  });
  formRoute(app, 'serial-numbers/remove', async ({ ctx, actor, origin, params }) => {
    await removeSerial(ctx, { actor, origin }, params.id);
    return ok();
  });
}
