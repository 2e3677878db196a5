import { created, ok, stream } from '../../kernel/answer.ts';
import { personOf } from '../../kernel/actor.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { changed, changing, channelOf, made, recordId, tag, viewing } from './answers.ts';
import {
  addCustomClient,
  addDevices,
  addUser,
  getGroups,
  removeClient,
  removeDevices,
  setAddress,
  setForwarding,
  setGroups,
  toggleClient,
} from './clients.ts';
import { makeProfile } from './profile.ts';
import { listClients } from './read-clients.ts';
import { hubsSettled, requireClient, requireHub } from './store.ts';
import { startForgetting, startSync, syncedDevices } from './sync.ts';

const users = 'vpn users';
const MOST_PROFILES = 50;
const devicesBody = () =>
  Type.Object({ device_id: Type.Array(recordId(), { minItems: 1, maxItems: 250 }) }, { additionalProperties: false });

/** Registers the calls about those who may connect. */
export function registerClients(app: App): void {
  registerLists(app);
  registerChanges(app);
  registerDevices(app);
  registerProfiles(app);
}

function registerLists(app: App): void {
  listRoute(app, {
    path: '/vpn/hubs/users',
    access: viewing,
    summary: 'Who may connect to VPN hubs.',
    tag: users,
    rules: listRulesOf('vpn-clients', { sorts: ['id'], isSearchable: true }),
    list: listClients,
  });
  route(app, {
    method: 'GET',
    path: '/vpn/hubs/users/:id/tags',
    access: viewing,
    summary: 'The groups that a client is in beside those of its device.',
    tag: users,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getGroups(ctx, { actor }, params.id)),
  });
}

function registerChanges(app: App): void {
  const hubOf = async ({ ctx, actor, params }: { ctx: App['ctx']; actor: Parameters<typeof requireClient>[1]; params: { id: number } }) =>
    (await requireClient(ctx.db, actor, params.id)).hub.id;
  formRoute(
    app,
    'vpn/new-client',
    async ({ ctx, actor, origin, body }) => made(await addCustomClient(ctx, { actor, origin }, body), body.vpn_hub_id),
    { programs: { status: 200 } },
  );
  formRoute(
    app,
    'vpn/new-user',
    async ({ ctx, actor, origin, body }) => made(await addUser(ctx, { actor, origin }, body), body.vpn_hub_id),
    { programs: { status: 200 } },
  );
  formRoute(app, 'vpn/address', async (call) => {
    const { ctx, actor, origin, params, body } = call;
    const hubId = await hubOf(call);
    await setAddress(ctx, { actor, origin }, params.id, body);
    return changed(hubId);
  });
  formRoute(app, 'vpn/client-groups', async (call) => {
    const { ctx, actor, origin, params, body } = call;
    const hubId = await hubOf(call);
    await setGroups(ctx, { actor, origin }, params.id, body.tag_id);
    return changed(hubId);
  });
  route(app, {
    method: 'POST',
    path: '/vpn/hubs/users/:id/toggle',
    access: changing,
    summary: 'Lets a client of a VPN hub in, or not: one that is connected is out at once.',
    tag: users,
    params: idParams,
    body: Type.Object({ enabled: Type.Boolean() }, { additionalProperties: false }),
    async handler(call) {
      const { ctx, actor, origin, params, body } = call;
      const hubId = await hubOf(call);
      await toggleClient(ctx, { actor, origin }, params.id, body.enabled);
      return changed(hubId);
    },
  });
  formRoute(app, 'vpn/remove-client', async ({ ctx, actor, origin, params }) => {
    const { client, hub } = await requireClient(ctx.db, actor, params.id);
    await removeClient(ctx, { actor, origin }, params.id);
    if (client.device_id !== null && client.sync_state !== null) await startForgetting(ctx, { actor, origin }, hub, [client.device_id]);
    return changed(hub.id);
  });
}

function registerDevices(app: App): void {
  formRoute(app, 'vpn/add-devices', async ({ ctx, actor, origin, body }) => {
    const { vpn_hub_id: hubId, device_id: devices } = body;
    return created({ id: await addDevices(ctx, { actor, origin }, hubId, devices) }, { channel: channelOf(hubId) });
  });
  route(app, {
    method: 'POST',
    path: '/vpn/hubs/:id/devices',
    access: changing,
    summary: 'Makes devices clients of a VPN hub, all or none.',
    tag,
    params: idParams,
    body: devicesBody(),
    programs: { status: 200 },
    handler: async ({ ctx, actor, origin, params, body }) =>
      created({ id: await addDevices(ctx, { actor, origin }, params.id, body.device_id) }, { channel: channelOf(params.id) }),
  });
  route(app, {
    method: 'DELETE',
    path: '/vpn/hubs/:id/devices',
    access: changing,
    summary: 'Takes devices out of a VPN hub, and has them forget it.',
    tag,
    params: idParams,
    body: devicesBody(),
    async handler({ ctx, actor, origin, params, body }) {
      const hub = await requireHub(ctx.db, actor, params.id);
      const synced = (await syncedDevices(ctx, hub.id)).filter((id) => body.device_id.includes(id));
      await removeDevices(ctx, { actor, origin }, hub.id, body.device_id);
      await startForgetting(ctx, { actor, origin }, hub, synced);
      return changed(hub.id);
    },
  });
  route(app, {
    method: 'GET',
    path: '/vpn/hubs/:id/devices/rules',
    access: viewing,
    summary: 'Which devices of a VPN hub let its clients into their LAN, and out by their WAN.',
    tag,
    params: idParams,
    async handler({ ctx, actor, params }) {
      const hub = await requireHub(ctx.reads, actor, params.id);
      const rows = await ctx.reads
        .selectFrom('vpn_clients')
        .select(['device_id', 'name', 'forward_lan', 'forward_wan'])
        .where('vpn_hub_id', '=', hub.id)
        .where('device_id', 'is not', null)
        .orderBy('id')
        .execute();
      const rules = rows.map(({ device_id, name, forward_lan, forward_wan }) => ({
        device_id,
        name,
        lan: forward_lan === 1,
        wan: forward_wan === 1,
      }));
      return ok(rules, { channel: channelOf(hub.id, 'rules') });
    },
  });
  const deviceParams = Type.Object({ id: recordId(), device_id: recordId() });
  route(app, {
    method: 'POST',
    path: '/vpn/hubs/:id/devices/:device_id/rules',
    access: changing,
    summary: 'Lets clients of a VPN hub into the LAN of a device, or out by its WAN; the device hears of it with its next sync.',
    tag,
    params: deviceParams,
    body: Type.Object(
      { network: Type.Unsafe<'wan' | 'lan'>({ type: 'string', enum: ['wan', 'lan'] }), status: Type.Boolean() },
      { additionalProperties: false },
    ),
    async handler({ ctx, actor, origin, params, body }) {
      await setForwarding(ctx, { actor, origin }, { hubId: params.id, deviceId: params.device_id }, body);
      return changed(params.id);
    },
  });
  route(app, {
    method: 'POST',
    path: '/vpn/hubs/:id/devices/:device_id/sync',
    access: changing,
    summary: 'Has a device get what it connects to a VPN hub with, and apply it.',
    tag,
    params: deviceParams,
    async handler({ ctx, actor, origin, params }) {
      const started = await startSync(ctx, { actor, origin }, { hubId: params.id, deviceId: params.device_id });
      return ok(undefined, { channel: started.channel, job_id: started.jobId, count: started.count });
    },
  });
}

function registerProfiles(app: App): void {
  const noStore = { 'cache-control': 'no-store' };
  formRoute(app, 'vpn/profile', async ({ ctx, actor, origin, params, reply }) => {
    const profile = await makeProfile(ctx, { actor, origin }, params.id);
    await hubsSettled(ctx);
    reply.headers(noStore);
    return ok(profile);
  });
  route(app, {
    method: 'POST',
    path: '/vpn/hubs/users/:id/profile',
    access: changing,
    summary: 'A new profile of a client as a file; the one before stops to work.',
    mediaType: 'text/plain',
    tag: users,
    params: idParams,
    async handler({ ctx, actor, origin, params }) {
      const { name, text } = await makeProfile(ctx, { actor, origin }, params.id);
      await hubsSettled(ctx);
      const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-disposition': `attachment; filename="${name}"` };
      return stream(text, { ...headers, ...noStore });
    },
  });
  route(app, {
    method: 'GET',
    path: '/vpn/hubs/users/config',
    access: changing,
    forPrograms: true,
    summary: 'New profiles of clients, for programs; the ones before stop to work.',
    tag: users,
    query: Type.Object({
      id: Type.Optional(Type.String({ maxLength: 800 })),
      vpn_hub_users: Type.Optional(Type.String({ maxLength: 800 })),
    }),
    async handler({ ctx, actor, origin, query, reply }) {
      const ids = [...new Set((query.id ?? query.vpn_hub_users ?? '').split(',').map(Number))];
      if (ids.length > MOST_PROFILES)
        throw new InvalidFields([{ source: 'id', message: `Ask for at most ${MOST_PROFILES} clients at once.` }]);
      if (!ids.every((id) => Number.isSafeInteger(id) && id > 0))
        throw new InvalidFields([{ source: 'id', message: 'Give ids of clients.' }]);
      for (const id of ids) await requireClient(ctx.db, actor, id);
      const profiles = [];
      let hubId = 0;
      for (const id of ids) {
        hubId = (await requireClient(ctx.db, actor, id)).hub.id;
        const { name, text } = await makeProfile(ctx, { actor, origin }, id);
        profiles.push({ id, name, config: text });
      }
      await hubsSettled(ctx);
      reply.header('cache-control', 'no-store');
      return ok(profiles, { channel: channelOf(hubId, 'config') });
    },
  });
  route(app, {
    method: 'GET',
    path: '/vpn/quick-hubs/:id/users/config',
    access: changing,
    forPrograms: true,
    summary: 'A new profile of the caller for a quick hub, for programs; the one before stops to work.',
    tag: users,
    params: idParams,
    async handler({ ctx, actor, origin, params, reply }) {
      const hub = await requireHub(ctx.db, actor, params.id);
      const client = await ctx.db
        .selectFrom('vpn_clients')
        .select('id')
        .where('vpn_hub_id', '=', hub.id)
        .where('user_id', '=', personOf(actor))
        .executeTakeFirst();
      if (!client) throw new NotFound({});
      const { name, text } = await makeProfile(ctx, { actor, origin }, client.id);
      await hubsSettled(ctx);
      reply.header('cache-control', 'no-store');
      return ok([{ id: client.id, name, config: text }], { channel: channelOf(hub.id, 'config') });
    },
  });
}
