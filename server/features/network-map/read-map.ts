import type { HostChange, NetworkMap, NetworkNode } from '../../../schemas/kit/devices/network-map.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { DetailsReport } from '../../domain/devices/details-report.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { DAY, wireTime } from '../../kernel/clock.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { readChanges } from './changes.ts';
import { placeAll, type MappedDevice } from './sightings.ts';

/** More are no picture any more. */
const MOST_NODES = 2000;

type DeviceRow = Pick<Row<'devices'>, 'id' | 'name' | 'status' | 'mac'>;

const plain = { ip: null, mac: null, device_id: null, is_up: null, speed: null, change: null };
const portId = (deviceId: number, port: string): string => `d${deviceId}/${port}`;

async function readDevices(ctx: Context, rows: readonly DeviceRow[]): Promise<MappedDevice[]> {
  const reports = await ctx.reads
    .selectFrom('device_details')
    .select(['device_id', 'details'])
    .where('device_id', 'in', ctx.database.tools.idList(rows.map(({ id }) => id)))
    .execute();
  // Only the device channel writes the column, cleaned.
  const known = new Map(reports.map(({ device_id, details }) => [device_id, JSON.parse(details) as DetailsReport]));
  return rows.map(({ id, name, status, mac }) => {
    const report = known.get(id);
    const macs = [mac, ...(report?.interfaces ?? []).map((one) => one.mac)].flatMap((one) => (one ? [one.toUpperCase()] : []));
    const says = report && (report.ports ?? report.leases ?? report.wireless) ? report : null;
    return { id, name, isOnline: status === 1, ip: null, macs: [...new Set(macs)], report: says };
  });
}

/** Ports with something at their other end, and Wi-Fi networks. */
function partsOf({ id, report }: MappedDevice, used: ReadonlySet<string>): NetworkNode[] {
  const base = { ...plain, parent: `d${id}`, device_id: id };
  const ports = (report?.ports ?? []).filter(({ name, link }) => link === true || used.has(portId(id, name)));
  const networks = (report?.wireless ?? []).filter((one) => one.is_active !== false || used.has(portId(id, one.interface)));
  const nodes: NetworkNode[] = [
    ...ports.map(({ name, link, speed }): NetworkNode => ({ ...base, id: portId(id, name), kind: 'port', name, is_up: link, speed })),
    ...networks.map((one): NetworkNode => ({
      ...base,
      id: portId(id, one.interface),
      kind: 'wifi',
      name: one.ssid ?? one.interface,
      is_up: one.is_active,
      speed: one.channel,
    })),
  ];
  return [...new Map(nodes.map((node) => [node.id, node])).values()];
}

async function readTunnels(ctx: Context, actor: Actor, ids: readonly number[]): Promise<NetworkNode[]> {
  if (!can(actor, 'view_vpn_hubs')) return [];
  const rows = await ctx.reads
    .selectFrom('vpn_clients')
    .innerJoin('vpn_hubs', 'vpn_hubs.id', 'vpn_clients.vpn_hub_id')
    .leftJoin('vpn_sessions', (join) =>
      join.onRef('vpn_sessions.vpn_client_id', '=', 'vpn_clients.id').on('vpn_sessions.ended_at', 'is', null),
    )
    .select(['vpn_clients.id', 'vpn_clients.device_id', 'vpn_hubs.name', 'vpn_sessions.id as session_id'])
    .where('vpn_clients.device_id', 'in', ctx.database.tools.idList(ids))
    .where('vpn_clients.enabled', '=', 1)
    .where(isVisible(actor, 'vpn_hubs'))
    .execute();
  const nodes = rows.map(({ id, device_id, name, session_id }): NetworkNode => ({
    ...plain,
    id: `v${id}`,
    parent: `d${device_id}`,
    kind: 'vpn',
    name,
    device_id,
    is_up: session_id !== null,
  }));
  return [...new Map(nodes.map((node) => [node.id, node])).values()];
}

function goneNodes(changes: readonly HostChange[], present: ReadonlySet<string>): NetworkNode[] {
  return changes.flatMap(({ kind, mac, name, ip, port, device_id }): NetworkNode[] => {
    if (kind !== 'gone' || present.has(`h${mac}`)) return [];
    const below = port === null ? undefined : portId(device_id, port);
    const parent = below !== undefined && present.has(below) ? below : `d${device_id}`;
    return [{ ...plain, id: `h${mac}`, parent, kind: 'host', name, ip, mac, device_id, is_up: false, change: 'gone' }];
  });
}

/**
 * The network of these devices as they report it: ports, hosts, Wi-Fi clients and VPN, and what is otherwise than a day ago. The caller has checked
 * that the actor sees the devices. `routerId`: the device that the others are behind; `title`: the name of what is above devices that are behind none.
 */
export async function readNetworkMap(
  ctx: Context,
  actor: Actor,
  { rows, routerId, title }: { rows: readonly DeviceRow[]; routerId: number | null; title: string },
): Promise<NetworkMap> {
  const devices = await readDevices(ctx, rows);
  const { parents, hosts } = placeAll(devices, routerId);
  const since = ctx.clock.now() - DAY;
  const changes = await readChanges(
    { db: ctx.reads, tools: ctx.database.tools },
    {
      names: new Map(devices.map(({ id, name }) => [id, name])),
      since,
      homes: new Map(hosts.map(({ mac, deviceId }) => [mac, deviceId])),
    },
  );
  const changeOf = new Map(changes.map(({ mac, kind }) => [mac, kind]));
  const spots = [...parents.values(), ...hosts];
  const used = new Set(spots.flatMap(({ deviceId, port }) => (port === null ? [] : [portId(deviceId, port)])));
  const tops = devices.filter(({ id }) => !parents.has(id));
  const parts = devices.flatMap((device) => partsOf(device, used));
  const partIds = new Set(parts.map(({ id }) => id));
  const below = (deviceId: number, port: string | null): string =>
    port !== null && partIds.has(portId(deviceId, port)) ? portId(deviceId, port) : `d${deviceId}`;
  const topOf = (id: number): string | null => {
    if (tops.length === 1) return null;
    const isRouter = routerId !== null && tops.some((device) => device.id === routerId);
    if (!isRouter) return 'site';
    return id === routerId ? null : `d${routerId}`;
  };
  const deviceNodes = devices.map(({ id, name, isOnline, macs, report }): NetworkNode => {
    const spot = parents.get(id);
    const address = report?.interfaces?.flatMap(({ addresses }) => addresses)[0]?.split('/')[0] ?? null;
    const parent = spot ? below(spot.deviceId, spot.port) : topOf(id);
    return { ...plain, id: `d${id}`, parent, kind: 'device', name, ip: address, mac: macs[0] ?? null, device_id: id, is_up: isOnline };
  });
  const hostNodes = hosts.map(({ mac, ip, name, isWireless, deviceId, port }): NetworkNode => {
    const change = changeOf.get(mac) ?? null;
    const kind = isWireless ? 'station' : 'host';
    return { ...plain, id: `h${mac}`, parent: below(deviceId, port), kind, name: name ?? '', ip, mac, device_id: deviceId, change };
  });
  const site: NetworkNode[] = deviceNodes.some(({ parent }) => parent === 'site')
    ? [{ ...plain, id: 'site', parent: null, kind: 'site', name: title }]
    : [];
  const tunnels = await readTunnels(
    ctx,
    actor,
    devices.map(({ id }) => id),
  );
  const nodes = [...site, ...deviceNodes, ...parts, ...tunnels, ...hostNodes];
  const all = [...nodes, ...goneNodes(changes, new Set(nodes.map(({ id }) => id)))];
  return {
    nodes: all.slice(0, MOST_NODES),
    changes,
    compared_with: wireTime(since),
    silent_devices: devices.filter(({ report }) => report === null).length,
    is_cut: all.length > MOST_NODES,
  };
}
