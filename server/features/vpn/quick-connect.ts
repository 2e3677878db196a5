import type { FormData } from '../../../schemas/_generated/contract.ts';
import { isMembers } from '../../../schemas/kit/form/form-fields.ts';
import type { Context } from '../../context.ts';
import { personOf, type Caller } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import type { StartedJob } from '../../domain/jobs/types.ts';
import { withUniqueName } from '../../kernel/unique-conflicts.ts';
import { addressText, maskText, overlaps } from './addresses.ts';
import { insertClient, requireHubDevice, requirePerson } from './clients.ts';
import { insertHub, readNetwork } from './hubs.ts';
import { fault, record, requireHub } from './store.ts';
import { startSync } from './sync.ts';

type QuickInput = FormData['vpn/quick-connect'];

const DEFAULT_MINUTES = 60;

/** What a program of the public API sends, whose `endpoint.routes` is one route and no list. */
export function readQuickHub(body: unknown): unknown {
  if (!isMembers(body) || !isMembers(body['endpoint']) || !isMembers(body['endpoint']['routes'])) return body;
  return { ...body, endpoint: { ...body['endpoint'], routes: [body['endpoint']['routes']] } };
}

export interface QuickHub {
  id: number;
  /** The caller's client of it. */
  client_id: number;
  job: StartedJob;
}

/**
 * Makes a temporary hub between the caller and one device with the chosen hosts behind it, and has the device join it. Nothing else is in it, and it is
 * gone when its time is over. Throws NOT_FOUND, NAME_TAKEN, INVALID_FIELD.
 */
export async function quickConnect(ctx: Context, caller: Caller, input: QuickInput): Promise<QuickHub> {
  const { endpoint, hub_name: name, company_id, description, hub_zone, tag_id, vpn_type = 'wireguard', duration = DEFAULT_MINUTES } = input;
  const targets = (endpoint.routes ?? []).map(({ ip, netmask, name: title }) => ({
    ...readNetwork('endpoint.routes', ip, netmask ?? '255.255.255.255'),
    name: title ?? '',
  }));
  if (targets.some((one, index) => targets.slice(index + 1).some((other) => overlaps(one, other))))
    throw fault('endpoint.routes', 'Two of these hosts overlap.', 'routes_overlap');
  const made = await withUniqueName({ name, source: 'hub_name' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const about = { name, vpn_type, company_id, description, hub_zone, tag_id };
      const given = Object.fromEntries(Object.entries(about).filter(([, value]) => value !== undefined)) as typeof about;
      const hub = await insertHub(ctx, trx, caller, { ...(given as FormData['vpn/new-hub']), quick: { minutes: duration } });
      const device = await requireHubDevice(trx, caller, hub, endpoint.device_id);
      const far = await insertClient(ctx, trx, caller, hub, { type: 'device', device_id: device.id, name: device.name });
      const person = await requirePerson(trx, caller, personOf(caller.actor));
      const near = await insertClient(ctx, trx, caller, hub, { type: 'user', user_id: person.id, name: person.name });
      const at = ctx.clock.now();
      const between = { vpn_hub_id: hub.id, from_client_id: near.id, to_client_id: far.id, created_at: at };
      await trx.insertInto('vpn_rules').values(between).execute();
      for (const { network, prefix, name: title } of targets) {
        if (overlaps({ network, prefix }, hub))
          throw fault('endpoint.routes', 'This overlaps with the network of the hub.', 'overlaps_hub');
        const route = { vpn_hub_id: hub.id, vpn_client_id: far.id, name: title, network, prefix, created_at: at };
        await trx.insertInto('vpn_routes').values(route).execute();
      }
      if (targets.length > 0) await trx.updateTable('vpn_clients').set({ forward_lan: 1 }).where('id', '=', far.id).execute();
      await record(ctx, trx, caller, {
        action: 'vpn-hubs.quick-connect',
        hub,
        before: null,
        after: { device_id: device.id, routes: targets.length },
      });
      return { id: hub.id, client_id: near.id };
    }),
  );
  const job = await startSync(ctx, caller, { hubId: made.id, deviceId: endpoint.device_id });
  return { ...made, job };
}

/** The hosts behind the device of a quick hub. Throws NOT_FOUND. */
export async function listQuickRoutes(ctx: Context, { actor }: Pick<Caller, 'actor'>, hubId: number) {
  const hub = await requireHub(ctx.reads, actor, hubId);
  const rows = await ctx.reads.selectFrom('vpn_routes').selectAll().where('vpn_hub_id', '=', hub.id).orderBy('id').execute();
  return rows.map(({ id, name, network, prefix, created_at }) => ({
    id,
    name,
    hub_id: hub.id,
    ip: addressText(Number(network)),
    netmask: maskText(Number(prefix)),
    created_at: wireTime(created_at),
  }));
}
