import { planSpotsSchema, type PlanSpot } from '../../../schemas/kit/devices/floor-plan.ts';
import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Actor } from '../../kernel/actor.ts';
import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import type { DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import { resolveSelection } from '../../domain/jobs/selection.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App, type Call } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { changeFloorPlan, readFloorPlan } from './floor-plan.ts';
import { addSite, editSite, getSite, listSites, placeDevices, removeSite } from './sites.ts';

const access = { permission: 'view_sites' } as const;
const tag = 'sites';

type PlaceCall = Call<unknown, unknown, FormData['devices/site'] & DevicesBody> & { actor: Actor };

/** Registers the room of sites. */
export function registerSites(app: App): void {
  listRoute(app, {
    path: '/sites',
    access,
    summary: 'Sites of the companies that the caller sees.',
    tag,
    rules: listRulesOf('sites', { sorts: ['id'] }),
    list: (ctx, actor, query) => listSites(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/sites/:id',
    access,
    summary: 'One site.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getSite(ctx, actor, params.id)),
  });
  route(app, {
    method: 'GET',
    path: '/sites/:id/plan',
    access,
    summary: 'The plan of a floor of a site: its image, and where on it the devices are, in percent.',
    mediaType: 'image/*',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await readFloorPlan(ctx, actor, params.id)),
  });
  route(app, {
    method: 'PUT',
    path: '/sites/:id/plan',
    access: { permission: 'update_sites' },
    summary: 'Changes the plan of a floor of a site.',
    tag,
    params: idParams,
    body: Type.Unsafe<{ image_id: number | null; spots: PlanSpot[] }>({
      type: 'object',
      additionalProperties: false,
      required: ['image_id', 'spots'],
      properties: { image_id: { type: ['integer', 'null'], minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, spots: planSpotsSchema },
    }),
    async handler({ ctx, actor, origin, params, body }) {
      await changeFloorPlan(ctx, { actor, origin }, params.id, body);
      return ok();
    },
  });
  formRoute(app, 'sites/new', async ({ ctx, actor, origin, body }) => {
    const id = await addSite(ctx, { actor, origin }, body);
    return created({ id }, { id });
  });
  formRoute(app, 'sites/edit', async ({ ctx, actor, origin, params, body }) => {
    await editSite(ctx, { actor, origin }, params.id, body);
    return ok();
  });
  formRoute(app, 'sites/remove', async ({ ctx, actor, origin, params }) => {
    await removeSite(ctx, { actor, origin }, params.id);
    return ok();
  });
  formRoute(app, 'devices/site', async (call) => {
    const { ctx, actor, origin, body } = call as PlaceCall;
    const { ids, seen } = await resolveSelection(ctx, actor, body);
    await placeDevices(ctx, { actor, origin }, ids, body.site_id ?? null);
    return ok({ id: ids.length }, seen === null ? { count: ids.length } : { count: ids.length, seen });
  });
}
