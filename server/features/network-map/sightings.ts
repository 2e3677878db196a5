import type { DetailsReport } from '../../domain/devices/details-report.ts';
import { hostsOf, type SeenHost } from '../../domain/devices/hosts-of.ts';

export interface MappedDevice {
  id: number;
  name: string;
  isOnline: boolean;
  ip: string | null;
  /** Its own addresses, upper case. */
  macs: readonly string[];
  /** null: it has not reported its network. */
  report: DetailsReport | null;
}

/** Where a host or a device is: below which device, at which of its ports. */
export interface Spot {
  deviceId: number;
  port: string | null;
}

interface Sighting extends Spot {
  host: SeenHost;
  /** How many are seen at this port: the fewer, the nearer. */
  crowd: number;
}

function sightingsOf(devices: readonly MappedDevice[]): Map<string, Sighting[]> {
  const sightings = new Map<string, Sighting[]>();
  for (const { id, report } of devices) {
    if (!report) continue;
    const hosts = hostsOf(report);
    const crowds = new Map<string | null, number>();
    for (const { port } of hosts.values()) crowds.set(port, (crowds.get(port) ?? 0) + 1);
    for (const host of hosts.values()) {
      const crowd = host.port === null ? Number.MAX_SAFE_INTEGER : (crowds.get(host.port) ?? 0);
      const list = sightings.get(host.mac) ?? [];
      list.push({ deviceId: id, port: host.port, host, crowd });
      sightings.set(host.mac, list);
    }
  }
  return sightings;
}

/** Those of a device at its port towards the router tell nothing: everybody is there. */
function nearest(list: readonly Sighting[], uplinks: ReadonlyMap<number, string | null>): Sighting | undefined {
  const near = list.filter(({ deviceId, port }) => port === null || uplinks.get(deviceId) !== port);
  return near.toSorted((a, b) => Number(b.host.isWireless) - Number(a.host.isWireless) || a.crowd - b.crowd)[0];
}

/**
 * Says where devices and hosts are by what devices see: each is below the device that sees the fewest others at the same port. A device's port
 * at which it sees the router leads up. `routerId`: the device that the others are behind, when it is known.
 */
export function placeAll(
  devices: readonly MappedDevice[],
  routerId: number | null,
): { parents: Map<number, Spot>; hosts: (SeenHost & Spot)[] } {
  const sightings = sightingsOf(devices);
  const owners = new Map(devices.flatMap(({ id, macs }) => macs.map((mac) => [mac, id] as const)));
  const router = devices.find(({ id }) => id === routerId);
  const uplinks = new Map<number, string | null>();
  for (const mac of router?.macs ?? [])
    for (const { deviceId, port } of sightings.get(mac) ?? []) if (port !== null && deviceId !== routerId) uplinks.set(deviceId, port);

  const parents = new Map<number, Spot>();
  const isAbove = (id: number, other: number): boolean => {
    for (let at: number | undefined = other; at !== undefined; at = parents.get(at)?.deviceId) if (at === id) return true;
    return false;
  };
  for (const { id, macs } of devices) {
    if (id === routerId) continue;
    const seen = macs.flatMap((mac) => sightings.get(mac) ?? []).filter(({ deviceId }) => !isAbove(id, deviceId));
    const spot = nearest(seen, uplinks);
    if (spot) parents.set(id, { deviceId: spot.deviceId, port: spot.port });
  }
  const hosts = [...sightings].flatMap(([mac, list]) => {
    if (owners.has(mac)) return [];
    const spot = nearest(list, uplinks);
    if (!spot) return [];
    const named = list.find(({ host }) => host.name !== null)?.host.name ?? null;
    const addressed = list.find(({ host }) => host.ip !== null)?.host.ip ?? null;
    return [{ ...spot.host, ip: spot.host.ip ?? addressed, name: spot.host.name ?? named, deviceId: spot.deviceId, port: spot.port }];
  });
  return { parents, hosts };
}
