import { ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { editSim, removeSim, setLimits } from './change.ts';
import { getSim, listSims } from './sims.ts';

const access = { permission: 'view_devices' } as const;
const tag = 'data usage';

/** The SIMs that devices report, with their data and limits. */
export function registerSims(app: App): void {
  listRoute(app, {
    path: '/sims',
    access,
    summary: 'SIMs of the companies that the caller sees, with the data of their month.',
    tag,
    rules: listRulesOf('sims', { sorts: ['id'] }),
    list: listSims,
  });
  route(app, {
    method: 'GET',
    path: '/sims/:id',
    access,
    summary: 'One SIM, with the devices that have held it and its bytes by day.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getSim(ctx, actor, params.id)),
  });
  formRoute(app, 'sims/edit', async ({ ctx, actor, origin, params, body }) => {
    await editSim(ctx, { actor, origin }, params.id, body);
    return ok();
  });
  formRoute(app, 'sims/limit', async ({ ctx, actor, origin, body }) => {
    const count = await setLimits(ctx, { actor, origin }, body);
    return ok({ count }, { count });
  });
  formRoute(app, 'sims/remove', async ({ ctx, actor, origin, params }) => {
    await removeSim(ctx, { actor, origin }, params.id);
    return ok();
  });
}
