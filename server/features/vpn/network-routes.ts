import { ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { changed, changing, channelOf, made, tag, viewing } from './answers.ts';
import { addDhcp, addRoute, addRule, askReach, listDhcp, listRoutes, listRules, readReach, removeDhcp, removePart } from './networks.ts';

/** Registers the calls about what clients reach: networks, rules, DHCP options. */
export function registerNetworks(app: App): void {
  listRoute(app, {
    path: '/vpn/hubs/routes',
    access: viewing,
    summary: 'Networks behind clients of VPN hubs.',
    tag: 'vpn hub routes',
    rules: listRulesOf('vpn-routes', { sorts: ['id'], isSearchable: true }),
    list: (ctx, actor, query) => listRoutes(ctx.reads, actor, query),
  });
  formRoute(
    app,
    'vpn/new-route',
    async ({ ctx, actor, origin, body }) => made(await addRoute(ctx, { actor, origin }, body), body.vpn_hub_id),
    { programs: { status: 200 } },
  );
  formRoute(
    app,
    'vpn/remove-route',
    async ({ ctx, actor, origin, params }) => changed(await removePart(ctx, { actor, origin }, 'vpn_routes', params.id)),
    { programs: { ignores: ['ip_address', 'netmask', 'vpn_hub_user_id'] } },
  );
  listRoute(app, {
    path: '/vpn/hubs/rules',
    access: viewing,
    summary: 'Which clients of VPN hubs reach which.',
    tag,
    rules: listRulesOf('vpn-rules', { sorts: ['id'], isSearchable: true }),
    list: (ctx, actor, query) => listRules(ctx.reads, actor, query),
  });
  formRoute(app, 'vpn/new-rule', async ({ ctx, actor, origin, body }) =>
    made(await addRule(ctx, { actor, origin }, body), body.vpn_hub_id),
  );
  formRoute(app, 'vpn/remove-rule', async ({ ctx, actor, origin, params }) =>
    changed(await removePart(ctx, { actor, origin }, 'vpn_rules', params.id)),
  );
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
  route(app, {
    method: 'GET',
    path: '/vpn/hubs/:id/reach',
    access: viewing,
    summary: 'Which clients of a VPN hub reach which, with rules between groups worked out.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await readReach(ctx, actor, params.id)),
  });
  registerDhcp(app);
}

function registerDhcp(app: App): void {
  const dhcp = 'vpn hub dhcp';
  route(app, {
    method: 'GET',
    path: '/vpn/hubs/:id/dhcp',
    access: viewing,
    summary: 'The DHCP options that a VPN hub gives its clients.',
    tag: dhcp,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await listDhcp(ctx, actor, params.id), { channel: channelOf(params.id, 'dhcp') }),
  });
  formRoute(app, 'vpn/new-dhcp', async ({ ctx, actor, origin, params, body }) => {
    await addDhcp(ctx, { actor, origin }, params.id, body);
    return changed(params.id);
  });
  route(app, {
    method: 'DELETE',
    path: '/vpn/hubs/:id/dhcp',
    access: changing,
    summary: 'Removes a DHCP option of a VPN hub.',
    tag: dhcp,
    params: idParams,
    body: Type.Object(
      {
        type: Type.Unsafe<'DNS' | 'WINS'>({ type: 'string', enum: ['DNS', 'WINS'] }),
        ip_address: Type.String({ minLength: 7, maxLength: 15 }),
      },
      { additionalProperties: false },
    ),
    async handler({ ctx, actor, origin, params, body }) {
      await removeDhcp(ctx, { actor, origin }, params.id, body);
      return changed(params.id);
    },
  });
}
