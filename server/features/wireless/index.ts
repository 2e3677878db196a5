import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Actor, Origin } from '../../kernel/actor.ts';
import { created, ok, type Answer } from '../../kernel/answer.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { answerJobRequest, type DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import { JobAlreadyRunning } from '../../domain/jobs/errors.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { readWirelessHours } from './graph.ts';
import { HOTSPOT_KIND, hotspotKind, sealAccounts, type HotspotAccount, type HotspotInput } from './hotspot-kind.ts';
import { listDeviceHotspots, listDeviceWireless, listHotspots, listWireless, requireHotspot } from './networks.ts';
import type { KnownSession } from './read-hotspot-answer.ts';
import { addVouchers, getVoucher, listVouchers, namesForActor, readCodes, removeVouchers, revokeVouchers } from './vouchers.ts';

const seesWireless = { permission: 'view_wireless_information' } as const;
const seesHotspots = { permission: 'view_device_hotspots' } as const;
const changesHotspots = { permission: 'update_device_hotspots' } as const;

const indexParams = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  index: Type.Integer({ minimum: 0, maximum: 100 }),
});
/** Without `"` and `\`, which devices keep out of their lists. */
const accountName = () => Type.String({ pattern: '^[!#-\\[\\]-~]{1,64}$' });
const accountPassword = () => Type.String({ pattern: '^[!-~]{1,64}$' });

interface HotspotCall {
  ctx: Context;
  actor: Actor;
  origin: Origin;
  request: { headers: Record<string, string | string[] | undefined> };
}

const NOTHING = { secrets: '', names: [] };

/** Starts a job on the hotspots of devices; one that is asked for again while it runs answers the same channel. */
async function start(call: HotspotCall, devices: readonly number[], input: HotspotInput): Promise<Answer> {
  try {
    return await answerJobRequest({ ...call, body: { device_id: [...devices] } }, { kind: HOTSPOT_KIND, input });
  } catch (error) {
    if (input.what === 'list' && error instanceof JobAlreadyRunning && error.meta?.['channel']) return ok(undefined, error.meta);
    throw error;
  }
}

function registerWireless(app: App): void {
  const tag = 'wireless';
  listRoute(app, {
    path: '/wireless',
    access: seesWireless,
    summary: 'Devices that make Wi-Fi networks, with clients and bytes of all their networks.',
    tag,
    rules: listRulesOf('wifi', { isSearchable: true, sorts: ['id'], filters: { wireless_id: { kind: 'integer', isNegatable: false } } }),
    list: (ctx, actor, query) => listWireless(ctx.reads, actor, query),
    documented: {
      fields: [],
      types: { sent: { type: 'string' }, received: { type: 'string' }, clients_count: { type: 'string' } },
      extend: async (_ctx, _actor, rows) =>
        rows.map(({ sent, received, clients_count, ...device }) => ({
          ...device,
          ...{ sent: String(sent), received: String(received), clients_count: String(clients_count) },
        })),
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/wireless',
    access: seesWireless,
    summary: 'The Wi-Fi networks of a device as it reported them last.',
    tag,
    params: idParams,
    async handler({ ctx, actor, params }) {
      const rows = await listDeviceWireless(ctx, actor, params.id);
      return ok(rows, { total: rows.length });
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/wireless/graph',
    access: seesWireless,
    summary: 'Clients and bytes of the Wi-Fi networks of a device by the hour, over the last day.',
    tag,
    params: idParams,
    query: Type.Object({ wlan: Type.Optional(Type.String({ maxLength: 32 })) }),
    cost: 'figures',
    async handler({ ctx, actor, params, query }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      return ok([await readWirelessHours(ctx, device.id, query.wlan)]);
    },
  });
}

function registerHotspots(app: App): void {
  const tag = 'hotspots';
  listRoute(app, {
    path: '/hotspots',
    access: seesHotspots,
    summary: 'Devices that have hotspots.',
    tag,
    rules: listRulesOf('hotspots', { isSearchable: true, sorts: ['id'] }),
    list: (ctx, actor, query) => listHotspots(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/hotspots',
    access: seesHotspots,
    summary: 'The hotspots of a device, with the accounts and sessions that it named when it was asked last.',
    tag,
    params: idParams,
    async handler({ ctx, actor, params }) {
      const rows = await listDeviceHotspots(ctx, actor, params.id);
      return ok(rows, { total: rows.length });
    },
  });
  registerUsers(app, tag);
  formRoute(app, 'hotspots/add-user', async (call) => {
    const { device_id, hotspot_index } = await requireHotspot(call.ctx, call.actor, { id: call.params.id });
    const { username: name, password, minutes, megabytes } = call.body;
    const account = { name, password, minutes: minutes ?? 0, megabytes: megabytes ?? 0, ends_at: null };
    return start(call, [device_id], { ...NOTHING, what: 'add', index: hotspot_index, secrets: sealAccounts(call.ctx, [account]) });
  });
  formRoute(app, 'hotspots/remove-user', async (call) => {
    const { device_id, hotspot_index } = await requireHotspot(call.ctx, call.actor, { id: call.params.id });
    return start(call, [device_id], { ...NOTHING, what: 'remove', index: hotspot_index, names: [call.body.username] });
  });
  formRoute(app, 'hotspots/page', (call) => {
    const body: FormData['hotspots/page'] & DevicesBody = call.body;
    const { title, text = '' } = body;
    return answerJobRequest({ ...call, body }, { kind: HOTSPOT_KIND, input: { ...NOTHING, what: 'page', index: 1, title, text } });
  });
}

/** The documented calls about the users of one hotspot of a device. */
function registerUsers(app: App, tag: string): void {
  const path = '/devices/:id/hotspots/:index/users';
  const of = (call: { ctx: Context; actor: Actor; params: { id: number; index: number } }) =>
    requireHotspot(call.ctx, call.actor, { deviceId: call.params.id, index: call.params.index });
  route(app, {
    method: 'POST',
    path: `${path}/refresh`,
    access: seesHotspots,
    summary: 'Asks a device for the accounts and sessions of a hotspot.',
    tag,
    params: indexParams,
    async handler(call) {
      const { device_id, hotspot_index } = await of(call);
      return start(call, [device_id], { ...NOTHING, what: 'list', index: hotspot_index });
    },
  });
  route(app, {
    method: 'GET',
    path,
    access: seesHotspots,
    forPrograms: true,
    summary: 'Asks a device for the accounts of a hotspot, for programs: the channel says when `/devices/{id}/hotspots` has them.',
    tag,
    params: indexParams,
    async handler(call) {
      const { device_id, hotspot_index } = await of(call);
      return start(call, [device_id], { ...NOTHING, what: 'list', index: hotspot_index });
    },
  });
  route(app, {
    method: 'POST',
    path,
    access: changesHotspots,
    summary: 'Adds an account to a hotspot of a device.',
    tag,
    params: indexParams,
    body: Type.Object({ username: accountName(), password: accountPassword() }, { additionalProperties: false }),
    async handler(call) {
      const { device_id, hotspot_index } = await of(call);
      const account: HotspotAccount = { name: call.body.username, password: call.body.password, minutes: 0, megabytes: 0, ends_at: null };
      return start(call, [device_id], { ...NOTHING, what: 'add', index: hotspot_index, secrets: sealAccounts(call.ctx, [account]) });
    },
  });
  route(app, {
    method: 'DELETE',
    path,
    access: changesHotspots,
    summary: 'Removes an account of a hotspot and signs its people out.',
    tag,
    params: indexParams,
    query: Type.Object({ username: Type.Optional(accountName()) }),
    async handler(call) {
      const { device_id, hotspot_index } = await of(call);
      const { username } = call.query;
      if (username === undefined) throw new InvalidFields([{ source: 'username', message: 'Name the account to remove.' }]);
      return start(call, [device_id], { ...NOTHING, what: 'remove', index: hotspot_index, names: [username] });
    },
  });
  route(app, {
    method: 'GET',
    path: `${path}/active`,
    access: seesHotspots,
    summary: 'Who was signed in to a hotspot of a device when it was asked last.',
    tag,
    params: indexParams,
    async handler(call) {
      const hotspot = await of(call);
      // Written by the job's answers alone.
      const sessions = JSON.parse(hotspot.sessions) as KnownSession[];
      const nameOf = await namesForActor(call.ctx, call.actor, hotspot.device_id);
      return ok(
        sessions.map(({ name, mac, ip, started_at, received, sent }, index) => ({
          id: index + 1,
          device_id: hotspot.device_id,
          ssid: hotspot.ssid,
          username: nameOf(name),
          mac,
          ip,
          start_time: started_at,
          download: String(received),
          upload: String(sent),
        })),
        { total: sessions.length },
      );
    },
  });
}

function registerVouchers(app: App): void {
  const tag = 'hotspots';
  listRoute(app, {
    path: '/hotspots/vouchers',
    access: seesHotspots,
    summary: 'Sets of vouchers of the companies that the caller sees, without their codes.',
    tag,
    rules: listRulesOf('hotspot-vouchers', { isSearchable: true, sorts: ['id'] }),
    list: (ctx, actor, query) => listVouchers(ctx, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/hotspots/vouchers/:id',
    access: seesHotspots,
    summary: 'One set of vouchers, without its codes.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getVoucher(ctx, actor, params.id)),
  });
  route(app, {
    method: 'GET',
    path: '/hotspots/vouchers/:id/codes',
    access: changesHotspots,
    summary: 'The codes of a set of vouchers, to be printed.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok({ codes: await readCodes(ctx, actor, params.id) }),
  });
  formRoute(app, 'hotspots/new-vouchers', async (call) => {
    const { id, devices, accounts } = await addVouchers(call.ctx, call, call.body);
    const input = { ...NOTHING, what: 'add' as const, index: 1, secrets: sealAccounts(call.ctx, accounts) };
    const answer = await start(call, devices, input);
    return created({ id }, 'body' in answer ? answer.body.meta : undefined);
  });
  formRoute(app, 'hotspots/revoke-vouchers', async (call) => {
    const { codes, devices } = await revokeVouchers(call.ctx, call, call.params.id);
    return devices.length === 0 ? ok() : start(call, devices, { ...NOTHING, what: 'remove', index: 1, names: codes });
  });
  formRoute(app, 'hotspots/remove-vouchers', async ({ ctx, actor, origin, params }) => {
    await removeVouchers(ctx, { actor, origin }, params.id);
    return ok();
  });
}

/** Registers the room of Wi-Fi networks, hotspots and vouchers. */
export function registerWirelessRoom(app: App): void {
  app.ctx.jobs.register(hotspotKind(app.ctx));
  registerWireless(app);
  registerHotspots(app);
  registerVouchers(app);
}
