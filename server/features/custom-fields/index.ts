import { ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { route, type App } from '../../kernel/route.ts';
import { getFields, getFieldsOfDevice, listFields, putFields } from './fields.ts';

const tag = 'custom fields';
const viewing = { permission: 'view_devices' } as const;

/** Registers the fields that companies add to devices; values are members of devices (`custom`). */
export function registerCustomFields(app: App): void {
  route(app, {
    method: 'GET',
    path: '/custom-fields',
    access: viewing,
    summary: 'The custom fields that devices in sight can have.',
    tag,
    handler: async ({ ctx, actor }) => ok(await listFields(ctx, actor)),
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/custom-fields',
    access: viewing,
    summary: 'The custom fields of a device, with the JSON Schema of their values.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getFieldsOfDevice(ctx, actor, params.id)),
  });
  route(app, {
    method: 'GET',
    path: '/companies/:id/custom-fields',
    // Those who add devices fill them in.
    access: { anyOf: ['view_companies', 'create_devices'] },
    summary:
      'The custom fields of a company: its own, those of the companies above, the values that are kept of removed ones, and the JSON Schema of all.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getFields(ctx, actor, params.id)),
  });
  formRoute(app, 'companies/custom-fields', async ({ ctx, actor, origin, params, body }) => {
    await putFields(ctx, { actor, origin }, params.id, body);
    return ok(await getFields(ctx, actor, params.id));
  });
}
