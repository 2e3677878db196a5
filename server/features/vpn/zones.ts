import { isRunZone, type VpnZone } from '../../vpn-zones.ts';
import type { Context } from '../../context.ts';
import { MAX_LIMIT, type ListRules } from '../../kernel/list-query.ts';
import type { Db } from '../../db/schema.ts';
import type { Network } from './addresses.ts';
import type { HubRunner } from './hub-runner.ts';
import { fault } from './store.ts';

/** The zones, as the API lists them; their numbers are their places. `state`: whether what runs hubs there answers. */
export function listZones({ config }: Pick<Context, 'config'>, { lacksOf }: Pick<HubRunner, 'lacksOf'>) {
  return config.vpnZones.map((zone, index) => ({
    id: index + 1,
    name: zone.name,
    visual_name: zone.title,
    latitude: zone.latitude,
    longitude: zone.longitude,
    is_run: isRunZone(zone),
    state: !isRunZone(zone) ? ('configuration' as const) : Array.isArray(lacksOf(zone.name)) ? ('answers' as const) : ('away' as const),
  }));
}

/** What the list of zones may be asked. */
export const zoneRules: ListRules = {
  sorts: new Set(['id', 'name', 'visual_name']),
  filters: new Map([['name', { kind: 'text', isNegatable: false }]]),
  fields: new Map(['id', 'name', 'visual_name', 'latitude', 'longitude', 'is_run', 'state'].map((field) => [field, undefined])),
  defaultSort: { key: 'id', isDescending: false },
  isSearchable: true,
  defaultLimit: MAX_LIMIT,
};

/** The zone with this name, the first one without a name. Throws INVALID_FIELD at `hub_zone`. */
export function requireZone({ config }: Pick<Context, 'config'>, name: string | undefined): VpnZone {
  const zone = name === undefined ? config.vpnZones[0] : config.vpnZones.find((one) => one.name === name);
  if (!zone) throw fault('hub_zone', 'This zone does not exist.', 'no_zone');
  return zone;
}

/** The host that hubs of a zone have. */
export const hostOfZone = (ctx: Pick<Context, 'publicUrl'>, zone: VpnZone): string => zone.host ?? new URL(ctx.publicUrl()).hostname;

/** A port of the zone that no hub has. Throws INVALID_FIELD at `port` when all are taken. */
export async function freePort(db: Db, zone: VpnZone): Promise<number> {
  const rows = await db.selectFrom('vpn_hubs').select('port').where('zone', '=', zone.name).execute();
  const taken = new Set(rows.map(({ port }) => port));
  for (let port = zone.ports.first; port <= zone.ports.last; port += 1) if (!taken.has(port)) return port;
  throw fault('port', 'All ports of the zone are taken.', 'zone_full');
}

const HUB_PREFIX = 24;
const FIRST_HUB = 10 * 2 ** 24 + 64 * 2 ** 16;
const HUBS = 2 ** 14;

/** A network of 256 addresses, from 10.64.0.0 on, that no hub has: somebody may be in two hubs. */
export async function freeNetwork(db: Db): Promise<Network> {
  const rows = await db.selectFrom('vpn_hubs').select('network').where('network', '>=', FIRST_HUB).execute();
  const taken = new Set(rows.map(({ network }) => Number(network) - (Number(network) % 256)));
  for (let index = 0; index < HUBS; index += 1) {
    const network = FIRST_HUB + index * 256;
    if (!taken.has(network)) return { network, prefix: HUB_PREFIX };
  }
  throw fault('ip', 'All networks are taken.', 'zone_full');
}
