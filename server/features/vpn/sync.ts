import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { findUserActor } from '../../kernel/auth/find-actor.ts';
import { afterCommit } from '../../kernel/db/database.ts';
import { AppError, NotFound } from '../../kernel/errors.ts';
import { confirmedSteps } from '../../domain/jobs/confirmed-steps.ts';
import type { DeviceStep, EndedTarget, JobKind, StartedJob } from '../../domain/jobs/types.ts';
import { openSealed, sealText } from '../../kernel/seal.ts';
import { changeClient, revoke } from './clients.ts';
import { fingerprintOf, openVpnProfile, signRequest } from './pki.ts';
import { readDns } from './profile.ts';
import { networksReachedBy } from './reach.ts';
import { pkiOf, readReachable, requireClient, requireHub, type ClientRow, type HubRow } from './store.ts';
import { clientProfile, etherOf } from './wireguard.ts';

export const VPN_KIND = 'vpn';
/** What the configuration in a job's input is sealed for. */
export const VPN_SYNC_PURPOSE = 'vpn device configuration';

/** `key`: the device makes a key and asks for a certificate · `apply`: it gets what it connects with · `remove`: it forgets it. */
export interface VpnSyncInput {
  what: 'key' | 'apply' | 'remove';
  hub_id: number;
  /** null for `remove`. */
  client_id: number | null;
  kind: HubRow['vpn_type'];
  /** Lines of `line=…`, sealed; empty without any. */
  secrets: string;
  lan: 0 | 1;
  wan: 0 | 1;
}

const KEY_SECONDS = 120;
const CONFIRM_SECONDS = 120;
const PUBLIC_KEY = /^public_key=([A-Za-z0-9+/]{43}=)$/m;
const REQUEST = /-----BEGIN CERTIFICATE REQUEST-----[A-Za-z0-9+/=\s]{100,4000}-----END CERTIFICATE REQUEST-----/;

/** Name of the interface and of the files on a device. */
const nameOnDevice = (hubId: number): string => `cvpn${hubId}`;

/** What a device needs to connect, without its private key, which never leaves it. */
async function configurationFor(ctx: Context, trx: Trx | Context['db'], hub: HubRow, client: ClientRow): Promise<string> {
  if (hub.vpn_type !== 'wireguard')
    return openVpnProfile({
      hub: { endpoint: hub.endpoint, port: hub.port, vpn_type: hub.vpn_type },
      pki: pkiOf(ctx, hub),
      certificate: client.device_certificate ?? '',
      ether: etherOf(client.address),
    });
  const networks = networksReachedBy(await readReachable(trx, hub), client.id);
  return clientProfile({ hub, address: client.address, networks, dns: await readDns(trx, hub.id) });
}

async function inputOf(ctx: Context, hub: HubRow, client: ClientRow, what?: 'key' | 'apply'): Promise<VpnSyncInput> {
  const needsCertificate = hub.vpn_type !== 'wireguard' && client.device_certificate === null;
  const step = what ?? (needsCertificate ? 'key' : 'apply');
  const text = step === 'apply' ? await configurationFor(ctx, ctx.db, hub, client) : '';
  const common = { what: step, hub_id: hub.id, client_id: client.id, kind: hub.vpn_type, lan: client.forward_lan, wan: client.forward_wan };
  return { ...common, secrets: text === '' ? '' : sealText(ctx.secretKey, VPN_SYNC_PURPOSE, text) };
}

/** Has the device of a client get what it needs for its hub, and apply it. Throws NOT_FOUND. */
export async function startSync(ctx: Context, caller: Caller, at: { hubId: number; deviceId: number }): Promise<StartedJob> {
  const hub = await requireHub(ctx.db, caller.actor, at.hubId);
  const client = await ctx.db
    .selectFrom('vpn_clients')
    .selectAll()
    .where('vpn_hub_id', '=', hub.id)
    .where('device_id', '=', at.deviceId)
    .executeTakeFirst();
  if (!client) throw new NotFound({});
  const started = await ctx.jobs.create(caller.actor, caller.origin, {
    kind: VPN_KIND,
    input: await inputOf(ctx, hub, client),
    target: { device_id: [at.deviceId] },
    schedule: { wait_seconds: 24 * 3600 },
  });
  await ctx.db.updateTable('vpn_clients').set({ sync_state: 'waiting' }).where('id', '=', client.id).execute();
  return started;
}

/** Has a device forget a hub, when it can; it is out of the hub whatever becomes of this. */
export async function startForgetting(
  ctx: Context,
  caller: Caller,
  hub: Pick<HubRow, 'id' | 'vpn_type'>,
  deviceIds: readonly number[],
): Promise<void> {
  if (deviceIds.length === 0) return;
  const input: VpnSyncInput = { what: 'remove', hub_id: hub.id, client_id: null, kind: hub.vpn_type, secrets: '', lan: 0, wan: 0 };
  try {
    const schedule = { wait_seconds: 7 * 24 * 3600 };
    await ctx.jobs.create(caller.actor, caller.origin, { kind: VPN_KIND, input, target: { device_id: [...deviceIds] }, schedule });
  } catch (error) {
    // The device may be gone, or the person may not reach it any more: nothing connects with what is left there.
    if (!(error instanceof AppError)) throw error;
  }
}

/** The devices of a hub that were given a configuration. */
export async function syncedDevices(ctx: Context, hubId: number): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('vpn_clients')
    .select('device_id')
    .where('vpn_hub_id', '=', hubId)
    .where('device_id', 'is not', null)
    .where('sync_state', 'is not', null)
    .execute();
  return rows.flatMap(({ device_id }) => (device_id === null ? [] : [device_id]));
}

/** Takes the key that a device has made: its public part, or a request that is signed. */
async function takeKey(
  ctx: Context,
  trx: Trx,
  actor: Actor,
  client: ClientRow,
  hub: HubRow,
  output: string,
): Promise<'done' | 'failed' | 'waiting'> {
  const caller = { actor, origin: { ip: '', requestId: 'vpn', userAgent: '' } };
  const found = { client, hub };
  if (hub.vpn_type === 'wireguard') {
    const key = PUBLIC_KEY.exec(output)?.[1];
    if (key === undefined) return 'failed';
    if (key !== client.public_key) await changeClient(ctx, trx, caller, found, 'vpn-clients.synced', { public_key: key });
    return 'done';
  }
  const issued = await signRequest(pkiOf(ctx, hub), client.id, REQUEST.exec(output)?.[0] ?? '', ctx.clock.now());
  if (!issued) return 'failed';
  await revoke(ctx, trx, hub, client);
  const values = { serial: issued.serial, expires_at: issued.expiresAt, device_certificate: issued.certificate };
  await changeClient(ctx, trx, caller, found, 'vpn-clients.synced', values);
  return 'waiting';
}

async function actorOf(ctx: Context, job: Row<'jobs'>): Promise<Actor | undefined> {
  if (job.created_by === null) return undefined;
  return findUserActor(ctx, { userId: job.created_by, companyId: job.company_id });
}

/** Notes what became of it on the device; after a certificate was made, the device is given it. */
async function takeAnswers(
  trx: Trx,
  { ctx, job, targets }: { ctx: Context; job: Row<'jobs'>; targets: readonly EndedTarget[] },
): Promise<void> {
  const input = JSON.parse(job.input) as VpnSyncInput;
  const [target] = targets;
  if (input.client_id === null || !target) return;
  const client = await trx.selectFrom('vpn_clients').selectAll().where('id', '=', input.client_id).executeTakeFirst();
  const actor = await actorOf(ctx, job);
  if (!client || client.device_id !== target.device_id || !actor) return;
  const hub = await trx.selectFrom('vpn_hubs').selectAll().where('vpn_hubs.id', '=', client.vpn_hub_id).executeTakeFirstOrThrow();
  const output = target.output ?? '';
  const isKey = input.what === 'key' || hub.vpn_type === 'wireguard';
  let state: 'done' | 'failed' | 'waiting' = target.state === 'ok' ? 'done' : 'failed';
  if (state === 'done' && isKey) state = await takeKey(ctx, trx, actor, client, hub, output);
  const synced =
    state === 'done' ? { synced_at: ctx.clock.now(), synced_as: input.secrets === '' ? null : fingerprintOf(input.secrets) } : {};
  await trx
    .updateTable('vpn_clients')
    .set({ sync_state: state, ...synced })
    .where('id', '=', client.id)
    .execute();
  if (state !== 'waiting') return;
  afterCommit(trx, () => void goOn(ctx, job, client.id));
}

/** The second half for a device that has made a key. */
async function goOn(ctx: Context, job: Row<'jobs'>, clientId: number): Promise<void> {
  try {
    const actor = await actorOf(ctx, job);
    if (!actor) return;
    const { client, hub } = await requireClient(ctx.db, actor, clientId);
    if (client.device_id === null) return;
    await ctx.jobs.create(actor, JSON.parse(job.origin), {
      kind: VPN_KIND,
      input: await inputOf(ctx, hub, client, 'apply'),
      target: { device_id: [client.device_id] },
      parentJobId: job.id,
    });
  } catch (error) {
    ctx.log.warn({ err: error, client: clientId }, 'a device could not be given its VPN certificate');
    await ctx.db.updateTable('vpn_clients').set({ sync_state: 'failed' }).where('id', '=', clientId).execute();
  }
}

/** Giving devices what they connect to a hub with, or taking it away. */
export function vpnKind(ctx: Pick<Context, 'secretKey'>): JobKind<VpnSyncInput> {
  return {
    name: VPN_KIND,
    permission: 'update_vpn_hubs',
    skipReason: () => undefined,
    runs: {
      on: 'device',
      steps({ what, hub_id, kind, secrets, lan, wan }) {
        const text = secrets === '' ? '' : openSealed(ctx.secretKey, VPN_SYNC_PURPOSE, secrets);
        const lines = text.split('\n').filter(Boolean);
        const isWireguard = kind === 'wireguard';
        const named = [`name=${nameOnDevice(hub_id)}`, `kind=${isWireguard ? 'wireguard' : 'openvpn'}`, `lan=${lan}`, `wan=${wan}`];
        const bodyFor = (verb: VpnSyncInput['what'], more: readonly string[]) => [`do=${verb}`, ...named, ...more, ''].join('\n');
        const key: DeviceStep = { name: 'key', verb: 'vpn', timeoutSeconds: KEY_SECONDS, body: bodyFor('key', []) };
        if (what === 'key') return [key];
        const body = bodyFor(
          what,
          lines.map((line) => `line=${line}`),
        );
        // The answer of the last step is what is kept: the public key that the hub has to know.
        const then = what === 'apply' && isWireguard ? [key] : [];
        return confirmedSteps({ name: 'vpn', verb: 'vpn', body, confirmSeconds: CONFIRM_SECONDS, then });
      },
      ended: takeAnswers,
    },
  };
}

/** Removes hubs, and has the devices that were in them forget them. Throws NOT_FOUND. */
export async function forgetHubs(ctx: Context, caller: Caller, ids: readonly number[], remove: () => Promise<void>): Promise<void> {
  const parts: { hub: HubRow; devices: number[] }[] = [];
  for (const id of new Set(ids)) {
    const hub = await requireHub(ctx.db, caller.actor, id);
    parts.push({ hub, devices: await syncedDevices(ctx, id) });
  }
  await remove();
  for (const { hub, devices } of parts) await startForgetting(ctx, caller, hub, devices);
}
