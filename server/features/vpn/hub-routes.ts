import { created, ok, stream } from '../../kernel/answer.ts';
import { DAY } from '../../kernel/clock.ts';
import { formRoute } from '../../kernel/form-route.ts';
import type { FilterRule, ListQuery } from '../../kernel/list-query.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { momentAfter, momentOf, moment } from '../../kernel/moments.ts';
import { pageRecords } from '../../kernel/page-records.ts';
import { ChannelNotFound, doneChannel, type PolledEvent } from '../../kernel/polled-channels.ts';
import { isProgram } from '../../kernel/lenient-calls.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { changed, channelOf, made, recordId, tag, viewing } from './answers.ts';
import { documentedHubs } from './documented.ts';
import type { HubRunner } from './hub-runner.ts';
import { addHub, editHub, moveHub, removeHubs, takeConfiguration, toggleHub } from './hubs.ts';
import { listConnections, readDeviceStatus, readTraffic } from './logs.ts';
import { listQuickRoutes, quickConnect, readQuickHub } from './quick-connect.ts';
import { getHub, listHubs } from './read-hubs.ts';
import { forgetHubs } from './sync.ts';
import { listZones, zoneRules } from './zones.ts';

const MAX_HUBS = 100;
const QUICK: FilterRule = { kind: 'enum', values: [1, 0], isNegatable: false };

const withFilter = (query: ListQuery, key: string, value: number): ListQuery => ({
  ...query,
  filters: [...query.filters, { key, values: [String(value)], isNegated: false }],
});

const PARTS = ['change', 'info', 'sessions', 'rules', 'dhcp', 'routes', 'config'] as const;

/** Registers the calls about hubs themselves. */
export function registerHubs(app: App, runner: HubRunner): void {
  registerReading(app, runner);
  registerChanging(app);
  registerLogs(app);
}

function registerReading(app: App, runner: HubRunner): void {
  listRoute(app, {
    path: '/vpn/hubs',
    access: viewing,
    summary: 'VPN hubs of the companies that the caller sees.',
    tag,
    rules: listRulesOf('vpn-hubs', { sorts: ['id'], filters: { quick_hub: QUICK } }),
    documented: documentedHubs, // People find quick hubs in a list of their own.
    list: (ctx, actor, query) =>
      listHubs(
        ctx,
        actor,
        isProgram(actor) || query.filters.some(({ key }) => key === 'quick_hub') ? query : withFilter(query, 'quick_hub', 0),
      ),
  });
  listRoute(app, {
    path: '/vpn/quick-hubs',
    access: viewing,
    summary: 'Quick hubs of the companies that the caller sees.',
    tag,
    rules: listRulesOf('vpn-quick-hubs', { sorts: ['id'] }),
    list: (ctx, actor, query) => listHubs(ctx, actor, withFilter(query, 'quick_hub', 1)),
  });
  route(app, {
    method: 'GET',
    path: '/vpn/quick-hubs/:id',
    access: viewing,
    summary: 'One quick hub.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getHub(ctx, actor, params.id)),
  });
  listRoute(app, {
    path: '/vpn/hubs/zones',
    access: viewing,
    summary: 'Where VPN hubs can be, and whether this server runs them there.',
    tag,
    rules: zoneRules,
    list: (ctx, _actor, query) => Promise.resolve(pageRecords(listZones(ctx, runner), query, ({ visual_name: name }) => name)),
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
  route(app, {
    method: 'GET',
    path: '/vpn/hubs/:id/info',
    access: viewing,
    summary: 'How a VPN hub is: whether it runs, and what its machine lacks if not.',
    tag,
    params: idParams,
    async handler({ ctx, actor, params }) {
      const hub = await getHub(ctx, actor, params.id);
      const { run_state, run_error, online_count, bytes_used, vpn_type, port, ip, netmask } = hub;
      const info = {
        id: hub.id,
        run_state,
        run_error,
        lacks: runner.lacksOf(hub.hub_zone) ?? null,
        online_count,
        bytes_used,
        vpn_type,
        port,
        ip,
        netmask,
      };
      return ok(info, { channel: channelOf(params.id, 'info') });
    },
  });
  route(app, {
    method: 'GET',
    path: '/vpn/hubs/:id/sessions',
    access: viewing,
    summary: 'Who is connected to a VPN hub now.',
    tag,
    params: idParams,
    async handler({ ctx, actor, params }) {
      await getHub(ctx, actor, params.id);
      await runner.lookNow();
      const rows = await ctx.db
        .selectFrom('vpn_sessions')
        .select(['vpn_client_id', 'name', 'remote', 'sent', 'received', 'started_at'])
        .where('vpn_hub_id', '=', params.id)
        .where('ended_at', 'is', null)
        .orderBy('started_at')
        .execute();
      const sessions = rows.map((row) => ({
        vpn_user_id: row.vpn_client_id,
        name: row.name,
        ip: row.remote,
        session_bytes_send: Number(row.sent),
        session_bytes_received: Number(row.received),
        seconds: Math.floor((ctx.clock.now() - row.started_at) / 1000),
      }));
      return ok(sessions, { channel: channelOf(params.id, 'sessions') });
    },
  });
  route(app, {
    method: 'GET',
    path: '/status/channel/vpn-hubs.:id.:part',
    atRoot: true,
    access: viewing,
    summary: 'What became of a call about a VPN hub: whether its machine has the change in force.',
    tag,
    params: Type.Object({ id: recordId(), part: Type.Unsafe<(typeof PARTS)[number]>({ type: 'string', enum: PARTS }) }),
    async handler({ ctx, actor, params }) {
      const hub = await getHub(ctx, actor, params.id).catch(() => undefined);
      if (!hub) throw new ChannelNotFound({});
      const { run_state: state, run_error: error } = hub;
      const isWaiting = params.part === 'change' && (state === 'starting' || state === 'away');
      const status = isWaiting ? 'pending' : params.part === 'change' && state === 'failed' ? 'error' : 'completed';
      const event: PolledEvent = { status, value: error ?? (isWaiting ? 'Waiting' : 'Done') };
      return ok({ [params.id]: [event] });
    },
  });
}

function registerChanging(app: App): void {
  formRoute(
    app,
    'vpn/new-hub',
    async ({ ctx, actor, origin, body }) => {
      const id = await addHub(ctx, { actor, origin }, body);
      return made(id, id);
    },
    { programs: { status: 200 } },
  );
  formRoute(
    app,
    'vpn/edit-hub',
    async ({ ctx, actor, origin, params, body }) => {
      await editHub(ctx, { actor, origin }, params.id, body);
      return ok();
    },
    { optional: ['name', 'endpoint', 'port'] },
  );
  formRoute(app, 'vpn/lifetime', async ({ ctx, actor, origin, params, body }) => {
    await toggleHub(ctx, { actor, origin }, params.id, body);
    return changed(params.id);
  });
  formRoute(app, 'vpn/settings', async ({ ctx, actor, origin, params, body }) => {
    await moveHub(ctx, { actor, origin }, params.id, body);
    return changed(params.id);
  });
  formRoute(app, 'vpn/remove-hub', async ({ ctx, actor, origin, params }) => {
    const caller = { actor, origin };
    await forgetHubs(ctx, caller, [params.id], () => removeHubs(ctx, caller, [params.id]));
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
      const caller = { actor, origin };
      await forgetHubs(ctx, caller, body.id, () => removeHubs(ctx, caller, body.id));
      return ok(undefined, { channel: doneChannel(body.id) });
    },
  });
  formRoute(
    app,
    'vpn/configuration',
    async ({ ctx, actor, origin, params }) =>
      stream(await takeConfiguration(ctx, { actor, origin }, params.id), {
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': `attachment; filename="canopy${params.id}.conf"`,
        'cache-control': 'no-store',
      }),
    { proof: 'sudo', mediaType: 'text/plain' },
  );
  formRoute(
    app,
    'vpn/quick-connect',
    async ({ ctx, actor, origin, body }) => {
      const { id, client_id, job } = await quickConnect(ctx, { actor, origin }, body);
      return created({ id, client_id }, { id, channel: job.channel, job_id: job.jobId });
    },
    { programs: { status: 200, translate: readQuickHub } },
  );
  route(app, {
    method: 'GET',
    path: '/vpn/quick-hubs/:id/routes',
    access: viewing,
    summary: 'The hosts behind the device of a quick hub.',
    tag: 'vpn hub routes',
    params: idParams,
    async handler({ ctx, actor, params }) {
      const routes = await listQuickRoutes(ctx, { actor }, params.id);
      return ok(routes, { total: routes.length });
    },
  });
}

function registerLogs(app: App): void {
  const period = { start_date: moment, end_date: moment };
  const periodOf = (now: number, query: { start_date?: string; end_date?: string }) => ({
    from: query.start_date === undefined ? now - 30 * DAY : momentOf(query.start_date),
    until: query.end_date === undefined ? now : momentAfter(query.end_date),
  });
  route(app, {
    method: 'GET',
    path: '/vpn/hubs/:id/logs',
    access: viewing,
    summary: 'Traffic of a VPN hub by the hour, by the day for more than four days; the last 30 days unless a period is given.',
    tag,
    params: idParams,
    query: Type.Object(period),
    handler: async ({ ctx, actor, params, query }) => ok(await readTraffic(ctx, actor, params.id, periodOf(ctx.clock.now(), query))),
  });
  route(app, {
    method: 'GET',
    path: '/vpn/hubs/:id/users/:hub_user_id/logs',
    access: viewing,
    summary: 'Traffic of one client of a VPN hub.',
    tag,
    params: Type.Object({ id: recordId(), hub_user_id: recordId() }),
    query: Type.Object(period),
    async handler({ ctx, actor, params, query }) {
      const { from, until } = periodOf(ctx.clock.now(), query);
      return ok(await readTraffic(ctx, actor, params.id, { from, until, client: params.hub_user_id }));
    },
  });
  listRoute(app, {
    path: '/vpn/hubs/connections',
    access: viewing,
    summary: 'Connections to VPN hubs, refused ones too.',
    tag,
    rules: listRulesOf('vpn-connections', { sorts: ['id'] }),
    list: listConnections,
  });
  listRoute(app, {
    path: '/vpn/hubs/:id/logs/user-connections',
    access: viewing,
    summary: 'Connections to one VPN hub, refused ones too.',
    tag,
    params: idParams,
    rules: listRulesOf('vpn-connections', { sorts: ['id'] }),
    async list(ctx, actor, query, params) {
      await getHub(ctx, actor, params.id);
      return listConnections(ctx, actor, withFilter(query, 'vpn_hub_id', params.id));
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/device-vpn-status',
    access: { permission: 'view_devices' },
    summary: 'The VPN instances of devices, and whether they run.',
    tag: 'device vpn status',
    query: Type.Object({ device_id: Type.String({ pattern: '^\\d{1,15}(,\\d{1,15}){0,99}$' }) }),
    handler: async ({ ctx, actor, query }) => ok(await readDeviceStatus(ctx, actor, query.device_id.split(',').map(Number))),
  });
}
