import { MONITORING_PARTS, PART_MEMBERS, type MonitoringPart } from '../../../schemas/kit/devices/monitoring-parts.ts';
import { SECOND, wireTime } from '../../kernel/clock.ts';
import type { DetailsReport } from '../../domain/devices/details-report.ts';
import { integerOf, lineOf, numberOf, oneOf } from './parse-values.ts';
import { addressOf, CELL, imeiOf, macOf, PLMN, recordOf, wholeOf } from './wire.ts';

type Payload = Record<string, unknown>;
type Item<Key extends keyof DetailsReport> = Extract<DetailsReport[Key], readonly unknown[]>[number];

/** PROTOCOL.md, up/details. */
const MOST = {
  ports: 64,
  hosts: 64,
  interfaces: 64,
  addresses: 8,
  leases: 128,
  routes: 128,
  dns: 8,
  pins: 32,
  modems: 4,
  wireless: 16,
  hotspots: 8,
  stations: 64,
};
/** Of all ports together. */
const MOST_HOSTS = 128;
const MAX_BYTES = Number.MAX_SAFE_INTEGER;
const MAX_SECONDS = 10_000_000_000;
const PIN_NAME = /^[a-z0-9_]{1,32}$/;
const PREFIX = /^\d{1,3}$/;
// A checksum: `2774530498`, or hex
const SUM = /^[0-9a-f]{4,64}$/;

/** The items of a list that can be read, at most `most`; null for anything but a list. */
function listOf<T>(value: unknown, most: number, read: (item: Payload) => T | undefined): T[] | null {
  if (!Array.isArray(value)) return null;
  return value.slice(0, most).flatMap((entry: unknown): T[] => {
    const item = recordOf(entry);
    const known = item && read(item);
    return known === undefined ? [] : [known];
  });
}

const flagOf = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);
const nameOf = (value: unknown, max = 64): string | null => lineOf(value, max) || null;

/** An address with the length of its network, or without one. */
function networkOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [address, prefix, ...rest] = value.slice(0, 64).split('/');
  const clean = addressOf(address);
  if (clean === undefined || rest.length > 0 || (prefix !== undefined && !PREFIX.test(prefix))) return undefined;
  return prefix === undefined ? clean : `${clean}/${Number(prefix)}`;
}

function readHost(item: Payload): Item<'ports'>['hosts'][number] | undefined {
  const mac = macOf(item['mac']);
  return mac === undefined ? undefined : { mac, ip: addressOf(item['ip']) ?? null, name: nameOf(item['name']) };
}

function readPorts(value: unknown): DetailsReport['ports'] {
  let room = MOST_HOSTS;
  return listOf(value, MOST.ports, (item): Item<'ports'> | undefined => {
    const name = nameOf(item['name'], 32);
    if (name === null) return undefined;
    const hosts = listOf(item['hosts'], Math.min(MOST.hosts, room), readHost) ?? [];
    room -= hosts.length;
    return {
      name,
      link: flagOf(item['link']),
      speed: integerOf(item['speed'], 1, 1_000_000) ?? null,
      duplex: oneOf(item['duplex'], ['full', 'half']) ?? null,
      poe: flagOf(item['poe']),
      poe_watts: numberOf(item['poe_watts'], 0, 1000) ?? null,
      hosts,
    };
  });
}

function readInterface(item: Payload): Item<'interfaces'> | undefined {
  const name = nameOf(item['name'], 32);
  if (name === null) return undefined;
  const given: unknown[] = Array.isArray(item['addresses']) ? item['addresses'] : [];
  return {
    name,
    up: flagOf(item['up']),
    mac: macOf(item['mac']) ?? null,
    mtu: integerOf(item['mtu'], 1, 1_000_000) ?? null,
    addresses: given.slice(0, MOST.addresses).flatMap((address) => networkOf(address) ?? []),
  };
}

function readLease(item: Payload): Item<'leases'> | undefined {
  const mac = macOf(item['mac']);
  const ip = addressOf(item['ip']);
  if (mac === undefined || ip === undefined) return undefined;
  const expires = integerOf(item['expires_at'], 1, MAX_SECONDS);
  return { mac, ip, name: nameOf(item['name']), expires_at: expires === undefined ? null : wireTime(expires * SECOND) };
}

function readRoute(item: Payload): Item<'routes'> | undefined {
  const to = item['to'] === 'default' ? 'default' : networkOf(item['to']);
  if (to === undefined) return undefined;
  return {
    to,
    via: addressOf(item['via']) ?? null,
    interface: nameOf(item['interface'], 32),
    metric: integerOf(item['metric'], 0, 4_294_967_295) ?? null,
  };
}

function readPin(item: Payload): Item<'pins'> | undefined {
  const { name } = item;
  const direction = oneOf(item['direction'], ['in', 'out']);
  const kind = oneOf(item['kind'], ['digital', 'analog', 'relay']) ?? 'digital';
  const state = kind === 'analog' ? numberOf(item['state'], -1e9, 1e9) : [0, 1].find((level) => level === item['state']);
  if (typeof name !== 'string' || !PIN_NAME.test(name) || direction === undefined || state === undefined) return undefined;
  return { name, direction, kind, state, unit: kind === 'analog' ? nameOf(item['unit'], 8) : null };
}

function readPosition(value: unknown): DetailsReport['position'] {
  const item = recordOf(value);
  const latitude = numberOf(item?.['lat'], -90, 90);
  const longitude = numberOf(item?.['lon'], -180, 180);
  if (!item || latitude === undefined || longitude === undefined) return null;
  const satellites = integerOf(item['satellites'], 0, 200) ?? null;
  // Receivers say 0,0 while they have no fix, in the Gulf of Guinea.
  const hasFix = item['fix'] !== 0 && item['fix'] !== false && satellites !== 0;
  if (!hasFix || (latitude === 0 && longitude === 0 && satellites === null)) return null;
  const at = integerOf(item['at'], 1, MAX_SECONDS);
  return {
    latitude,
    longitude,
    altitude: numberOf(item['altitude'], -12_000, 100_000) ?? null,
    accuracy: numberOf(item['accuracy'], 0, 100_000) ?? null,
    satellites,
    speed: numberOf(item['speed'], 0, 10_000) ?? null,
    course: numberOf(item['course'], 0, 360) ?? null,
    fixed_at: at === undefined ? null : wireTime(at * SECOND),
  };
}

function readModem(item: Payload): Item<'modems'> | undefined {
  const name = nameOf(item['name'], 32);
  if (name === null) return undefined;
  return {
    name,
    manufacturer: nameOf(item['manufacturer']),
    model: nameOf(item['model']),
    firmware: nameOf(item['firmware']),
    imei: imeiOf(item['imei']) ?? null,
    iccid: nameOf(item['iccid'], 32),
    imsi: nameOf(item['imsi'], 32),
    operator: nameOf(item['operator']),
    connection_type: oneOf(item['connection_type'], ['5G', 'LTE', '3G', '2G']) ?? null,
    network_state: oneOf(item['network_state'], ['Home', 'Roaming']) ?? null,
    sim_slot: integerOf(item['sim_slot'], 0, 16) ?? null,
    signal: integerOf(item['signal'], -200, 0) ?? null,
    rsrp: integerOf(item['rsrp'], -200, 0) ?? null,
    rsrq: integerOf(item['rsrq'], -60, 30) ?? null,
    sinr: integerOf(item['sinr'], -60, 80) ?? null,
    temperature: integerOf(item['temperature'], -1000, 2000) ?? null,
    operator_number: wholeOf(item['operator_number'], PLMN) ?? null,
    cell_id: wholeOf(item['cell_id'], CELL) ?? null,
    lac: wholeOf(item['lac'], CELL) ?? null,
    sim_state: nameOf(item['sim_state'], 32),
    pin_state: nameOf(item['pin_state'], 32),
    connection_state: nameOf(item['connection_state'], 32),
  };
}

function macsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return [...new Set(value.slice(0, MOST.stations).flatMap((mac: unknown) => macOf(mac) ?? []))];
}

function readWireless(item: Payload): Item<'wireless'> | undefined {
  const name = nameOf(item['interface'], 32);
  if (name === null) return undefined;
  return {
    interface: name,
    ssid: nameOf(item['ssid'], 32),
    is_active: flagOf(item['active']),
    band: oneOf(item['band'], ['2.4 GHz', '5 GHz', '6 GHz']) ?? null,
    channel: integerOf(item['channel'], 0, 300) ?? null,
    clients: integerOf(item['clients'], 0, 10_000) ?? null,
    sent: integerOf(item['tx_bytes'], 0, MAX_BYTES) ?? null,
    received: integerOf(item['rx_bytes'], 0, MAX_BYTES) ?? null,
    macs: macsOf(item['macs']),
  };
}

function readHotspot(item: Payload): Item<'hotspots'> | undefined {
  const index = integerOf(item['index'], 0, 100);
  if (index === undefined) return undefined;
  return {
    index,
    ssid: nameOf(item['ssid'], 32),
    is_active: flagOf(item['active']),
    ip: addressOf(item['ip']) ?? null,
    users: integerOf(item['users'], 0, 100_000) ?? null,
    auth_type: nameOf(item['auth'], 32),
  };
}

/** Without the items whose name came before: a name means one thing. */
function once<T>(items: T[] | null, nameOfItem: (item: T) => string): T[] | null {
  return items && [...new Map(items.toReversed().map((item) => [nameOfItem(item), item])).values()].toReversed();
}

/** `up/details`: what a device says of its parts, each member checked by itself. What it does not name is null. */
export function readDetails(payload: Payload): DetailsReport {
  const dns: unknown[] | undefined = Array.isArray(payload['dns']) ? payload['dns'] : undefined;
  return {
    ports: once(readPorts(payload['ports']), ({ name }) => name),
    interfaces: once(listOf(payload['interfaces'], MOST.interfaces, readInterface), ({ name }) => name),
    leases: listOf(payload['leases'], MOST.leases, readLease),
    routes: listOf(payload['routes'], MOST.routes, readRoute),
    dns: dns === undefined ? null : dns.slice(0, MOST.dns).flatMap((address) => addressOf(address) ?? []),
    pins: once(listOf(payload['pins'], MOST.pins, readPin), ({ name }) => name),
    position: readPosition(payload['position']),
    modems: once(listOf(payload['modems'], MOST.modems, readModem), ({ name }) => name),
    wireless: once(listOf(payload['wireless'], MOST.wireless, readWireless), (item) => item.interface),
    settings: wholeOf(payload['settings'], SUM) ?? null,
    hotspots: once(listOf(payload['hotspots'], MOST.hotspots, readHotspot), ({ index }) => String(index)),
  };
}

/** The parts that a message is about; undefined for one about all of them. */
export function partsOf(payload: Payload): ReadonlySet<MonitoringPart> | undefined {
  const { only } = payload;
  return Array.isArray(only) ? new Set(MONITORING_PARTS.filter((part) => only.includes(part))) : undefined;
}

/** A report with what a later one says of some parts; the others stay as they were. */
export function onto(former: DetailsReport, later: DetailsReport, parts: ReadonlySet<MonitoringPart>): DetailsReport {
  const members = new Set<string>([...parts].flatMap((part): readonly string[] => PART_MEMBERS[part]));
  return { ...former, ...Object.fromEntries(Object.entries(later).filter(([name]) => members.has(name))) };
}
