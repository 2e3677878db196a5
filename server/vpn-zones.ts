import { resolve } from 'node:path';
import { ConfigError } from './config-error.ts';

/** A helper on another machine: it is reached through the tunnel of the device agent beside it. */
export interface ZoneAgent {
  /** The key of the device that the agent joined as. */
  device: string;
  /** Of loopback there. */
  port: number;
  /** What the helper and the server prove to each other. */
  key: string;
}

/** A machine that runs VPN hubs. */
export interface VpnZone {
  name: string;
  title: string;
  /** undefined: the host of PUBLIC_URL. */
  host: string | undefined;
  /** Path of a Unix socket. Without it and an agent hubs are configurations only. */
  helper: string | undefined;
  agent: ZoneAgent | undefined;
  ports: { first: number; last: number };
  latitude: number | null;
  longitude: number | null;
}

const VPN_HOST = /^[\w.:-]{0,253}$/; // vpn.example.org

function portsOf(setting: string, text: string): VpnZone['ports'] {
  const [, first, last] = /^(\d{1,5})-(\d{1,5})$/.exec(text) ?? [];
  const ports = { first: Number(first), last: Number(last) };
  if (!(ports.first >= 1 && ports.first <= ports.last && ports.last <= 65_535))
    throw new ConfigError(`${setting}="${text}": expected two ports such as 20000-20999`);
  return ports;
}

/** Whether hubs of a zone are run, by a helper here or elsewhere. */
export const isRunZone = (zone: Pick<VpnZone, 'helper' | 'agent'> | undefined): boolean =>
  zone?.helper !== undefined || zone?.agent !== undefined;

const KEY_LENGTH = 43;

function agentOf(value: unknown): ZoneAgent | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { device, port, key, ...rest } = value as Record<string, unknown>;
  const isPort = typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= 65_535;
  if (typeof device !== 'string' || !isPort || typeof key !== 'string' || key.length < KEY_LENGTH || Object.keys(rest).length > 0)
    return undefined;
  return { device, port, key };
}

function zoneOf(name: string, value: unknown): VpnZone {
  const fail = (expected: string): never => {
    throw new ConfigError(`VPN_ZONES: "${name}": expected ${expected}`);
  };
  if (!/^[a-z][a-z0-9-]{0,40}$/.test(name)) fail('a name of small letters, digits and hyphens');
  const given = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const { title = name, host, helper, agent: givenAgent, ports = '20000-20999', latitude = null, longitude = null, ...rest } = given;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) fail(`title, host, helper, agent, ports, latitude and longitude, not "${unknown}"`);
  if (typeof title !== 'string' || title === '' || title.length > 60) return fail('a "title" of at most 60 characters');
  if (typeof host !== 'string' || host === '' || !VPN_HOST.test(host)) return fail('a host name or an address as "host"');
  if (helper !== undefined && typeof helper !== 'string') return fail('the path of a socket as "helper"');
  const agent = givenAgent === undefined ? undefined : agentOf(givenAgent);
  // @NOTE The value is never repeated: it holds a secret.
  if (givenAgent !== undefined && !agent) return fail('"agent" as the helper prints it: its device, port and key');
  if (agent && helper !== undefined) return fail('a "helper" or an "agent", not both');
  if (typeof ports !== 'string') return fail('"ports" such as "20000-20999"');
  const isPlace = (number: unknown): number is number | null => number === null || (typeof number === 'number' && Math.abs(number) <= 180);
  if (!isPlace(latitude) || !isPlace(longitude)) return fail('numbers as "latitude" and "longitude"');
  return {
    name,
    title,
    host,
    helper: helper === undefined ? undefined : resolve(helper),
    agent,
    ports: portsOf('VPN_ZONES', ports),
    latitude,
    longitude,
  };
}

/** The zones that the settings name. Throws ConfigError. */
export function readZones({ zones, host, helper, ports }: { zones: string; host: string; helper: string; ports: string }): VpnZone[] {
  if (!VPN_HOST.test(host)) throw new ConfigError(`VPN_HOST="${host}": expected a host name or an address`);
  const own: VpnZone = {
    name: 'local',
    title: 'Local',
    host: host || undefined,
    helper: helper === '' ? undefined : resolve(helper),
    agent: undefined,
    ports: portsOf('VPN_PORTS', ports),
    latitude: null,
    longitude: null,
  };
  if (zones === '') return [own];
  let parsed: unknown;
  try {
    parsed = JSON.parse(zones);
  } catch {
    parsed = undefined;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new ConfigError('VPN_ZONES: expected JSON such as {"oslo":{"title":"Oslo","host":"vpn.example.org","helper":"/run/oslo.sock"}}');
  return [own, ...Object.entries(parsed).map(([name, value]) => zoneOf(name, value))];
}
