import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { addKey, getKey, listKeys, removeKey } from './keys.ts';

const access = { permission: 'view_device_updates' } as const;
const tag = 'signing keys';

/** Registers the room of the keys that firmware of companies has to be signed with. */
export function registerSigningKeys(app: App): void {
  listRoute(app, {
    path: '/signing-keys',
    access,
    summary: 'Public keys that firmware has to be signed with.',
    tag,
    rules: listRulesOf('signing-keys', { sorts: ['id'] }),
    list: (ctx, actor, query) => listKeys(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/signing-keys/:id',
    access,
    summary: 'One public key that firmware has to be signed with.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getKey(ctx, actor, params.id)),
  });
  formRoute(app, 'signing-keys/new', async ({ ctx, actor, origin, body }) => {
    const id = await addKey(ctx, { actor, origin }, body);
    return created({ id }, { id });
  });
  formRoute(app, 'signing-keys/remove', async ({ ctx, actor, origin, params }) => {
    await removeKey(ctx, { actor, origin }, params.id);
    return ok();
  });
}
