import { created, ok, stream, type Answer } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { addCustomClient, addDevices, listClients, makeProfile, removeClient, setAddress, toggleClient } from './clients.ts';
import { addHub, editHub, getHub, listHubs, removeHubs, takeConfiguration, toggleHub } from './hubs.ts';
import { addRoute, addRule, askReach, listRoutes, listRules, removePart } from './networks.ts';

const viewing = { permission: 'view_vpn_hubs' } as const;
const changing = { permission: 'update_vpn_hubs' } as const;
const tag = 'vpn';
const MAX_HUBS = 100;

const recordId = () => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const toggleBody = Type.Object({ enabled: Type.Boolean() }, { additionalProperties: false });

/** A text with a private key, as a file that nothing keeps on the way. */
const asFile = (text: string, name: string): Answer =>
  stream(text, {
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.conf"`,
    'cache-control': 'no-store',
  });

/** Registers the room of VPN hubs. */
export function registerVpn(app: App): void {
  registerHubs(app);
  registerClients(app);
  registerNetworks(app);
}

function registerHubs(app: App): void {
  listRoute(app, {
    path: '/vpn/hubs',
    access: viewing,
    summary: 'VPN hubs of the companies that the caller sees.',
    tag,
    rules: listRulesOf('vpn-hubs', { sorts: ['id'] }),
    list: (ctx, actor, query) => listHubs(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/vpn/hubs/:id',
    access: viewing,
    summary: 'One VPN hub.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getHub(ctx, actor, params.id)),
  });
  formRoute(app, 'vpn/new-hub', async ({ ctx, actor, origin, body }) => {
    const id = await addHub(ctx, { actor, origin }, body);
    return created({ id }, { id });
  });
  formRoute(app, 'vpn/edit-hub', async ({ ctx, actor, origin, params, body }) => {
    await editHub(ctx, { actor, origin }, params.id, body);
    return ok();
  });
  route(app, {
    method: 'PUT',
    path: '/vpn/hubs/:id/toggle',
    access: changing,
    summary: 'Turns a VPN hub on or off.',
    tag,
    params: idParams,
    body: toggleBody,
    async handler({ ctx, actor, origin, params, body }) {
      await toggleHub(ctx, { actor, origin }, params.id, body.enabled);
      return ok();
    },
  });
  formRoute(app, 'vpn/remove-hub', async ({ ctx, actor, origin, params }) => {
    await removeHubs(ctx, { actor, origin }, [params.id]);
    return ok();
  });
  route(app, {
    method: 'DELETE',
    path: '/vpn/hubs',
    access: { permission: 'delete_vpn_hubs' },
    summary: 'Removes VPN hubs with all that is in them, all or none.',
    tag,
    body: Type.Object({ id: Type.Array(recordId(), { minItems: 1, maxItems: MAX_HUBS }) }, { additionalProperties: false }),
    async handler({ ctx, actor, origin, body }) {
      await removeHubs(ctx, { actor, origin }, body.id);
      return ok();
    },
  });
  formRoute(
    app,
    'vpn/configuration',
    async ({ ctx, actor, origin, params }) => asFile(await takeConfiguration(ctx, { actor, origin }, params.id), `canopy${params.id}`),
    { proof: 'sudo' },
  );
}

function registerClients(app: App): void {
  listRoute(app, {
    path: '/vpn/hubs/users',
    access: viewing,
    summary: 'Who may connect to VPN hubs.',
    tag,
    rules: listRulesOf('vpn-clients', { sorts: ['id'], isSearchable: true }),
    list: (ctx, actor, query) => listClients(ctx.reads, actor, query),
  });
  formRoute(app, 'vpn/new-client', async ({ ctx, actor, origin, body }) => {
    const id = await addCustomClient(ctx, { actor, origin }, body);
    return created({ id }, { id });
  });
  formRoute(app, 'vpn/add-devices', async ({ ctx, actor, origin, body }) => {
    const { vpn_hub_id: hubId, device_id: devices } = body;
    return created({ id: await addDevices(ctx, { actor, origin }, hubId, devices) });
  });
  route(app, {
    method: 'POST',
    path: '/vpn/hubs/:id/devices',
    access: changing,
    summary: 'Makes devices clients of a VPN hub, all or none.',
    tag,
    params: idParams,
    body: Type.Object({ device_id: Type.Array(recordId(), { minItems: 1, maxItems: 250 }) }, { additionalProperties: false }),
    handler: async ({ ctx, actor, origin, params, body }) =>
      created({ id: await addDevices(ctx, { actor, origin }, params.id, body.device_id) }),
  });
  formRoute(app, 'vpn/address', async ({ ctx, actor, origin, params, body }) => {
    await setAddress(ctx, { actor, origin }, params.id, body.ip_address);
    return ok();
  });
  route(app, {
    method: 'POST',
    path: '/vpn/hubs/users/:id/toggle',
    access: changing,
    summary: 'Lets a client of a VPN hub in, or not.',
    tag,
    params: idParams,
    body: toggleBody,
    async handler({ ctx, actor, origin, params, body }) {
      await toggleClient(ctx, { actor, origin }, params.id, body.enabled);
      return ok();
    },
  });
  formRoute(app, 'vpn/profile', async ({ ctx, actor, origin, params }) =>
    asFile(await makeProfile(ctx, { actor, origin }, params.id), `canopy-client-${params.id}`),
  );
  formRoute(app, 'vpn/remove-client', async ({ ctx, actor, origin, params }) => {
    await removeClient(ctx, { actor, origin }, params.id);
    return ok();
  });
}

function registerNetworks(app: App): void {
  listRoute(app, {
    path: '/vpn/hubs/routes',
    access: viewing,
    summary: 'Networks behind clients of VPN hubs.',
    tag,
    rules: listRulesOf('vpn-routes', { sorts: ['id'], isSearchable: true }),
    list: (ctx, actor, query) => listRoutes(ctx.reads, actor, query),
  });
  formRoute(app, 'vpn/new-route', async ({ ctx, actor, origin, body }) => {
    const id = await addRoute(ctx, { actor, origin }, body);
    return created({ id }, { id });
  });
  formRoute(app, 'vpn/remove-route', async ({ ctx, actor, origin, params }) => {
    await removePart(ctx, { actor, origin }, 'vpn_routes', params.id);
    return ok();
  });
  listRoute(app, {
    path: '/vpn/hubs/rules',
    access: viewing,
    summary: 'Which clients of VPN hubs reach which.',
    tag,
    rules: listRulesOf('vpn-rules', { sorts: ['id'], isSearchable: true }),
    list: (ctx, actor, query) => listRules(ctx.reads, actor, query),
  });
  formRoute(app, 'vpn/new-rule', async ({ ctx, actor, origin, body }) => {
    const id = await addRule(ctx, { actor, origin }, body);
    return created({ id }, { id });
  });
  formRoute(app, 'vpn/remove-rule', async ({ ctx, actor, origin, params }) => {
    await removePart(ctx, { actor, origin }, 'vpn_rules', params.id);
    return ok();
  });
  route(app, {
    method: 'GET',
    path: '/vpn/hubs/users/:id/reach',
    access: viewing,
    summary: 'Whether a client reaches an address through its VPN hub, that of the hub itself without one, and what decides.',
    tag,
    params: idParams,
    query: Type.Object({ ip_address: Type.Optional(Type.String({ minLength: 1, maxLength: 15 })) }),
    handler: async ({ ctx, actor, params, query }) => ok(await askReach(ctx, actor, params.id, query.ip_address)),
  });
}
