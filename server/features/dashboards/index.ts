import { widgetsSchema, type Widget } from '../../../schemas/kit/resources/dashboards.ts';
import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import {
  addDashboard,
  arrangeDashboard,
  editDashboard,
  getDashboard,
  importDashboard,
  listDashboards,
  removeDashboard,
} from './dashboards.ts';
import { registerImages } from './image-routes.ts';

const access = { permission: 'view_device_dashboard' } as const;
const tag = 'dashboards';

/** Registers the room of dashboards. */
export function registerDashboards(app: App): void {
  registerImages(app);
  listRoute(app, {
    path: '/dashboards',
    access,
    summary: 'Dashboards: the own ones and those of companies.',
    tag,
    rules: listRulesOf('dashboards', { sorts: ['id'], isSearchable: true }),
    list: (ctx, actor, query) => listDashboards(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/dashboards/:id',
    access,
    summary: 'One dashboard; `widgets` is JSON.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getDashboard(ctx, actor, params.id)),
  });
  route(app, {
    method: 'PUT',
    path: '/dashboards/:id/layout',
    access: { permission: 'update_device_dashboard' },
    summary: 'Changes the widgets of a dashboard; `version` is that of the one that was read.',
    tag,
    params: idParams,
    body: Type.Unsafe<{ version: number; widgets: Widget[] }>({
      type: 'object',
      additionalProperties: false,
      required: ['version', 'widgets'],
      properties: { version: { type: 'integer', minimum: 1, maximum: 1e9 }, widgets: widgetsSchema },
    }),
    handler: async ({ ctx, actor, origin, params, body }) =>
      ok({ version: await arrangeDashboard(ctx, { actor, origin }, params.id, body) }),
  });
  formRoute(app, 'dashboards/new', async ({ ctx, actor, origin, body }) => {
    const id = await addDashboard(ctx, { actor, origin }, body);
    return created({ id }, { id });
  });
  formRoute(app, 'dashboards/import', async ({ ctx, actor, origin, body }) => {
    const id = await importDashboard(ctx, { actor, origin }, body);
    return created({ id }, { id });
  });
  formRoute(app, 'dashboards/edit', async ({ ctx, actor, origin, params, body }) => {
    await editDashboard(ctx, { actor, origin }, params.id, body);
    return ok();
  });
  formRoute(app, 'dashboards/remove', async ({ ctx, actor, origin, params }) => {
    await removeDashboard(ctx, { actor, origin }, params.id);
    return ok();
  });
}
