import type { VariableType } from './collected.ts';

/** A value that a source gives: by which filter, and of which type. */
export interface KnownField {
  filter: string;
  type: VariableType;
}

/** An address that devices answer, with what is usually wanted of it. */
export interface KnownSource {
  url: string;
  fields: readonly KnownField[];
}

/** Whose addresses they are: the router's own API, ubus, files, commands. */
export type SourceKind = 'api' | 'ubus' | 'file' | 'command';

const numbers = (base: string, ...names: string[]): KnownField[] => names.map((name) => ({ filter: `${base}.${name}`, type: 'number' }));
const texts = (base: string, ...names: string[]): KnownField[] => names.map((name) => ({ filter: `${base}.${name}`, type: 'string' }));

const MODEM = '$.data[@.primary=true]';

/** What monitoring templates are usually about, for people to choose from before a device was asked. */
export const KNOWN_SOURCES: Readonly<Record<SourceKind, readonly KnownSource[]>> = {
  api: [
    {
      url: '/api/modems/status',
      fields: [
        ...numbers(MODEM, 'signal', 'rsrp', 'rsrq', 'sinr', 'temperature', 'txbytes', 'rxbytes'),
        ...texts(MODEM, 'operator', 'network_state', 'connection_type', 'cell_id'),
      ],
    },
    { url: '/api/sim_cards/status', fields: texts(MODEM, 'state', 'operator', 'iccid') },
    {
      url: '/api/interfaces/basic/status',
      fields: [
        { filter: '$.data[@.id="wan"].up', type: 'boolean' },
        ...texts('$.data[@.id="wan"]', 'ipaddr'),
        ...numbers('$.data[@.id="wan"]', 'uptime'),
      ],
    },
    {
      url: '/api/wireless/interfaces/status',
      fields: [{ filter: '$.data[0].active', type: 'boolean' }, ...numbers('$.data[0]', 'clients'), ...texts('$.data[0]', 'ssid')],
    },
    { url: '/api/dhcp/leases/ipv4/status', fields: texts('$.data[0]', 'hostname', 'ipaddr', 'macaddr') },
    { url: '/api/ip_routes/ipv4/status', fields: texts('$.data[@.target="default"]', 'gateway', 'device') },
    {
      url: '/api/system/device/usage/status',
      fields: numbers('$.data', 'uptime', 'cpu.usage', 'ram.free', 'ram.total', 'flash.free', 'flash.total'),
    },
    { url: '/api/gps/position/status', fields: numbers('$.data', 'latitude', 'longitude', 'speed', 'satellites') },
    {
      url: '/api/ports_settings/config',
      fields: [{ filter: '$.data[0].link', type: 'boolean' }, ...numbers('$.data[0]', 'speed', 'poe_watts')],
    },
  ],
  ubus: [
    { url: '/ubus/system/info', fields: numbers('$', 'uptime', 'memory.free', 'memory.total', 'load[0]', 'root.used') },
    { url: '/ubus/system/board', fields: texts('$', 'model', 'release.version') },
    {
      url: '/ubus/network.interface.wan/status',
      fields: [{ filter: '$.up', type: 'boolean' }, ...numbers('$', 'uptime'), ...texts('$', 'device')],
    },
  ],
  file: [
    { url: '/file/proc/loadavg', fields: [0, 1, 2].map((at) => ({ filter: `$.lines[0][${at}]`, type: 'number' })) },
    { url: '/file/proc/meminfo', fields: numbers('$.fields', 'MemTotal', 'MemFree', 'MemAvailable') },
    { url: '/file/proc/uptime', fields: [{ filter: '$.lines[0][0]', type: 'number' }] },
    { url: '/file/sys/class/thermal/thermal_zone0/temp', fields: [{ filter: '$.lines[0][0]', type: 'number' }] },
  ],
  command: [
    { url: '/command/df', fields: [{ filter: '$.lines[1][3]', type: 'number' }] },
    { url: '/command/uptime', fields: [{ filter: '$.text', type: 'string' }] },
  ],
};
