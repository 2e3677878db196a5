import type { Identity } from './models.ts';
import type { Vitals } from './vitals.ts';

/** What the local API of a simulated router reads from. */
export interface RouterParts {
  identity: Identity;
  vitals: Vitals;
  /** The payload of `up/details`. */
  details: Record<string, unknown>;
}

type Entry = Record<string, unknown>;

const listOf = (value: unknown): Entry[] => (Array.isArray(value) ? (value as Entry[]) : []);
const addressOf = (value: unknown): string => String(listOf(value)[0] ?? '').split('/')[0] ?? '';

function modems({ details, vitals }: RouterParts): Entry[] {
  return listOf(details['modems']).map((modem, index) => ({
    id: `${index + 1}-1`,
    primary: index === 0,
    builtin: true,
    ...modem,
    temperature: Number(vitals.report()['temperature'] ?? 400) / 10,
    txbytes: vitals.sent,
    rxbytes: vitals.received,
  }));
}

const interfaces = ({ details, vitals }: RouterParts): Entry[] =>
  listOf(details['interfaces']).map((one, index) => ({
    id: index === 0 ? 'wan' : index === 1 ? 'lan' : String(one['name']),
    device: one['name'],
    up: one['up'],
    proto: index === 0 ? 'dhcp' : 'static',
    ipaddr: addressOf(one['addresses']),
    uptime: vitals.uptimeSeconds,
  }));

const networks = ({ details }: RouterParts): Entry[] => listOf(details['wireless']);

/** What devices have, by the path of the router's own API below `/api`: what the paths in use elsewhere answer, as far as a simulated device has it. */
const ANSWERS: Record<string, (parts: RouterParts) => unknown> = {
  '/modems/status': modems,
  '/sim_cards/status': ({ details, identity: { network } }) =>
    listOf(details['modems']).map((modem, index) => ({
      id: `${index + 1}`,
      modem: modem['name'],
      position: index + 1,
      primary: index === 0,
      state: modem['sim_state'],
      pin_state: modem['pin_state'],
      operator: network.operator,
      iccid: modem['iccid'],
      imsi: modem['imsi'],
    })),
  '/interfaces/basic/status': interfaces,
  '/interfaces/config': (parts) =>
    interfaces(parts).map(({ id, proto, ipaddr }) => ({ id, name: id, enabled: '1', proto, ipaddr, netmask: '255.255.255.0' })),
  '/wireless/interfaces/status': networks,
  '/wireless/interfaces/config': (parts) =>
    networks(parts).map((one) => ({ id: one['interface'], enabled: '1', mode: 'ap', ssid: one['ssid'], encryption: 'psk2' })),
  '/wireless/devices/config': (parts) =>
    networks(parts).map((one, index) => ({ id: `radio${index}`, enabled: '1', band: one['band'], channel: String(one['channel']) })),
  '/dhcp/servers/ipv4/config': () => [
    { id: 'lan', interface: 'lan', enable_dhcpv4: '1', start: '100', limit: '150', time: '12', units: 'h' },
  ],
  '/dhcp/leases/ipv4/status': ({ details }) =>
    listOf(details['leases']).map(({ mac, ip, name, expires_at }) => ({ macaddr: mac, ipaddr: ip, hostname: name, expires: expires_at })),
  '/dhcp/static_leases/ipv4/config': () => [],
  '/ip_routes/ipv4/status': ({ details }) =>
    listOf(details['routes']).map(({ to, via, interface: device, metric }) => ({ target: to, gateway: via ?? '', device, metric })),
  '/firewall/zones/config': () => [
    { id: '1', name: 'lan', input: 'ACCEPT', output: 'ACCEPT', forward: 'ACCEPT', masq: '0' },
    { id: '2', name: 'wan', input: 'REJECT', output: 'ACCEPT', forward: 'REJECT', masq: '1' },
  ],
  '/gps/global': ({ details }) => (details['position'] === undefined ? undefined : { enabled: '1', galileo_sup: '1', glonass_sup: '0' }),
  '/gps/position/status': ({ details }) => {
    const { position } = details;
    if (typeof position !== 'object' || position === null) return undefined;
    const { lat, lon, ...rest } = position as Entry;
    return { latitude: lat, longitude: lon, fix_status: '1', ...rest };
  },
  '/date_time/ntp/client/config': () => [{ id: 'ntp', enabled: '1', interval: '86400', servers: ['0.openwrt.pool.ntp.org'] }],
  '/system/device/usage/status': ({ vitals }) => {
    const { load1, mem_total_kb: total, mem_available_kb: free } = vitals.report();
    return {
      uptime: vitals.uptimeSeconds,
      cpu: { usage: Math.round(Number(load1) * 100), load_1min: load1 },
      ram: { total: Number(total) * 1024, free: Number(free) * 1024, used: (Number(total) - Number(free)) * 1024 },
      flash: { total: 62_914_560, used: 9_437_184, free: 53_477_376 },
    };
  },
  '/hotspot/config': ({ details }) =>
    listOf(details['hotspots']).map((one) => ({
      id: String(one['index']),
      enabled: one['active'] === true ? '1' : '0',
      ssid: one['ssid'],
    })),
  '/ports_settings/config': ({ details }) =>
    listOf(details['ports']).map((one, index) => ({
      id: `port${index + 1}`,
      enabled: '1',
      link: one['link'],
      speed: one['speed'] ?? 0,
      ...('poe' in one ? { poe_enable: one['poe'] === true ? '1' : '0', poe_watts: one['poe_watts'] } : {}),
    })),
  '/bluetooth/config/general': () => ({ id: 'general', enabled: '0' }),
};

/** What the local API of a simulated router answers to a path such as `/modems/status`, or to one entry of it, `/modems/status/1-1`; undefined where there is none. */
export function answerRouterApi(path: string, parts: RouterParts): string | undefined {
  const whole = ANSWERS[path]?.(parts);
  if (whole !== undefined) return JSON.stringify({ success: true, data: whole });
  const cut = path.lastIndexOf('/');
  const all = ANSWERS[path.slice(0, cut)]?.(parts);
  const one = listOf(all).find(({ id }) => id === path.slice(cut + 1));
  return one === undefined ? undefined : JSON.stringify({ success: true, data: one });
}
