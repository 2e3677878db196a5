import { isIP } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { MONITORING_PARTS, MOST_PERIOD } from '../../../schemas/kit/devices/monitoring-parts.ts';
import { normalizeMac } from '../../../schemas/kit/form/normalize-text.ts';
import type { CollectedReport } from '../../domain/devices/watchers.ts';
import { isZone } from '../../../schemas/kit/time/wall-clock.ts';
import { integerOf, lineOf, numberOf, oneOf, textOf } from './parse-values.ts';

/** What the payloads of agent/PROTOCOL.md say, cleaned: members that are absent or wrong are undefined. Nothing here throws. */

type Payload = Record<string, unknown>;

// `1106433012`, `RUTX50-0001`
const SERIAL = /^[A-Za-z0-9._-]{1,64}$/;
const IMEI = /^\d{14,17}$/;
// `24201`
export const PLMN = /^\d{5,6}$/;
// `34567890`, `2A7F3`
export const CELL = /^[0-9A-Fa-f]{1,16}$/;
const COMMAND_ID = /^[A-Za-z0-9_-]{1,64}$/;
const METRIC = /^[a-z0-9_]{1,48}$/;
const MAX_BYTES = Number.MAX_SAFE_INTEGER;
const MAX_SECONDS = 10_000_000_000;
const MAX_INTERFACES = 32;
const MAX_VALUES = 64;
const MAX_OUTPUT = 64 * 1024;
const MAX_UNPACKED = 1024 * 1024;
// `H4sIAAAAAAAAA…==`
const BASE64 = /^[A-Za-z0-9+/]{1,120000}={0,2}$/;
const MAX_SOURCES = 20;
const MAX_SOURCE_OUTPUT = 16 * 1024;

/** Without undefined members: what is left can be written as it is. */
function compact<T extends object>(value: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as { [K in keyof T]?: NonNullable<T[K]> };
}

export function serialOf(value: unknown): string | undefined {
  return typeof value === 'string' && SERIAL.test(value) ? value : undefined;
}

export function macOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 32 ? normalizeMac(value) : undefined;
}

export function imeiOf(value: unknown): string | undefined {
  return typeof value === 'string' && IMEI.test(value) ? value : undefined;
}

/** A text of this form, or a number that reads so. */
export function wholeOf(value: unknown, form: RegExp): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && form.test(text) ? text : undefined;
}

export function addressOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.slice(0, 64).split('/')[0]?.trim() : undefined;
  return text !== undefined && isIP(text) !== 0 ? text : undefined;
}

/** The name of a time zone that is known here. */
function zoneOf(value: unknown): string | undefined {
  const name = lineOf(value, 64);
  return name !== undefined && name !== '' && isZone(name) ? name : undefined;
}

/** An object with members; undefined for anything else. */
export function recordOf(value: unknown): Payload | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/** The periods of parts that a device says it keeps, in our own words; undefined when it says none. */
function periodsOf(value: unknown): string | undefined {
  const said = recordOf(value);
  if (!said) return undefined;
  return MONITORING_PARTS.flatMap((part) => {
    const seconds = integerOf(said[part], 1, MOST_PERIOD);
    return seconds === undefined ? [] : [`${part}=${seconds}`];
  }).join(' ');
}

export interface Identity {
  imei?: string;
  model?: string;
  firmware?: string;
  os?: string;
  hostname?: string;
  timezone?: string;
  agent?: string;
  boot_id?: string;
  report_seconds?: number;
  reported_periods?: string;
}

/** `up/hello`: who the device says it is. */
export function readHello(payload: Payload): { serial: string | undefined; mac: string | undefined; identity: Identity } {
  return {
    serial: serialOf(payload['serial']),
    mac: macOf(payload['mac']),
    identity: compact({
      imei: imeiOf(payload['imei']),
      model: lineOf(payload['model'], 64),
      firmware: lineOf(payload['firmware'], 64),
      os: lineOf(payload['os']),
      hostname: lineOf(payload['hostname']),
      timezone: zoneOf(payload['timezone']),
      agent: lineOf(payload['agent'], 64),
      boot_id: lineOf(payload['boot_id'], 64),
      report_seconds: integerOf(payload['report_seconds'], 5, MOST_PERIOD),
      reported_periods: periodsOf(payload['periods']),
    }),
  };
}

function readInterfaces(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const list = value.slice(0, MAX_INTERFACES).flatMap((entry: unknown) => {
    const member = recordOf(entry);
    const name = lineOf(member?.['name'], 32);
    if (!member || !name) return [];
    return compact({
      name,
      rx_bytes: integerOf(member['rx_bytes'], 0, MAX_BYTES),
      tx_bytes: integerOf(member['tx_bytes'], 0, MAX_BYTES),
      ip: addressOf(member['ip']),
    });
  });
  return JSON.stringify(list);
}

/** What a modem says of its network and its SIM; the members of a second one end in `_2`. */
function readRadio(payload: Payload, end = '') {
  const of = (name: string): unknown => payload[`${name}${end}`];
  return {
    signal: integerOf(of('signal'), -200, 0),
    rsrp: integerOf(of('rsrp'), -200, 0),
    rsrq: integerOf(of('rsrq'), -60, 30),
    sinr: integerOf(of('sinr'), -60, 80),
    operator: lineOf(of('operator'), 64),
    operator_number: wholeOf(of('operator_number'), PLMN),
    connection_type: oneOf(of('connection_type'), ['5G', 'LTE', '3G', '2G']),
    network_state: oneOf(of('network_state'), ['Home', 'Roaming']),
    sim_slot: integerOf(of('sim_slot'), 0, 16),
    imsi: lineOf(of('imsi'), 32),
    iccid: lineOf(of('iccid'), 32),
    cell_id: wholeOf(of('cell_id'), CELL),
    lac: wholeOf(of('lac'), CELL),
  };
}

const secondModem = (radio: ReturnType<typeof readRadio>) => ({
  signal_2: radio.signal,
  rsrp_2: radio.rsrp,
  rsrq_2: radio.rsrq,
  sinr_2: radio.sinr,
  operator_2: radio.operator,
  operator_number_2: radio.operator_number,
  connection_type_2: radio.connection_type,
  network_state_2: radio.network_state,
  sim_slot_2: radio.sim_slot,
  imsi_2: radio.imsi,
  iccid_2: radio.iccid,
  cell_id_2: radio.cell_id,
  lac_2: radio.lac,
});

/** `up/status`: the columns of the device that it reports; `isGoodbye` for `{"online":false}`. */
export function readStatus(payload: Payload) {
  const wan_state = oneOf(payload['wan_state'], ['Mobile', 'Wired', 'WiFi']);
  const wan_ip = addressOf(payload['wan_ip']);
  const columns = compact({
    router_uptime: integerOf(payload['uptime'], 0, MAX_SECONDS),
    load1: numberOf(payload['load1'], 0, 100_000),
    mem_total_kb: integerOf(payload['mem_total_kb'], 0, MAX_BYTES),
    mem_available_kb: integerOf(payload['mem_available_kb'], 0, MAX_BYTES),
    wan_ip,
    lan_ip: addressOf(payload['lan_ip']),
    wan_state,
    mobile_ip: wan_state === 'Mobile' ? wan_ip : undefined,
    received: integerOf(payload['rx_bytes'], 0, MAX_BYTES),
    sent: integerOf(payload['tx_bytes'], 0, MAX_BYTES),
    temperature: integerOf(payload['temperature'], -1000, 2000),
    ...readRadio(payload),
    ...secondModem(readRadio(payload, '_2')),
    mobile_ip_2: addressOf(payload['mobile_ip_2']),
    imei_2: imeiOf(payload['imei_2']),
    received_2: integerOf(payload['rx_bytes_2'], 0, MAX_BYTES),
    sent_2: integerOf(payload['tx_bytes_2'], 0, MAX_BYTES),
    interfaces: readInterfaces(payload['interfaces']),
  });
  return { isGoodbye: payload['online'] === false, columns };
}

/** `up/telemetry`: finite numbers by name. `at` in unix milliseconds. */
export function readTelemetry(payload: Payload): { at: number | undefined; values: [string, number][] } {
  const at = integerOf(payload['at'], 0, MAX_SECONDS);
  const given = payload['values'];
  const entries = typeof given === 'object' && given !== null && !Array.isArray(given) ? Object.entries(given) : [];
  const values = entries
    .slice(0, MAX_VALUES)
    .flatMap(([name, value]: [string, unknown]): [string, number][] =>
      METRIC.test(name) && name !== '__proto__' && typeof value === 'number' && Number.isFinite(value) ? [[name, value]] : [],
    );
  return { at: at === undefined ? undefined : at * 1000, values };
}

/** `up/collected`: what the sources of a monitoring template printed; undefined without its id and version. */
export function readCollected(payload: Payload): CollectedReport | undefined {
  const templateId = integerOf(payload['template'], 1, MAX_BYTES);
  const version = integerOf(payload['version'], 1, MAX_BYTES);
  const given: unknown[] = Array.isArray(payload['sources']) ? payload['sources'] : [];
  if (templateId === undefined || version === undefined) return undefined;
  const answers = given.slice(0, MAX_SOURCES).map((one) => {
    const source = recordOf(one);
    return { code: integerOf(source?.['code'], 0, 255) ?? 1, output: textOf(source?.['output'], MAX_SOURCE_OUTPUT) ?? '' };
  });
  return { templateId, version, answers, bytes: Buffer.byteLength(JSON.stringify(payload)) };
}

/** A long output, base64 of gzip; undefined for anything else. */
function unpackedOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !BASE64.test(value)) return undefined;
  try {
    return gunzipSync(Buffer.from(value, 'base64'), { maxOutputLength: MAX_UNPACKED }).toString('utf8');
  } catch {
    // Not gzip, cut, or more than it may be.
    return undefined;
  }
}

/** `up/result`; undefined without a usable id or state. */
export function readResult(payload: Payload) {
  const { id } = payload;
  const state = oneOf(payload['state'], ['running', 'ok', 'failed']);
  if (typeof id !== 'string' || !COMMAND_ID.test(id) || !state) return undefined;
  const unpacked = unpackedOf(payload['packed']);
  const isUnreadable = payload['packed'] !== undefined && unpacked === undefined;
  const isCut = typeof payload['output'] === 'string' && payload['output'].length > MAX_OUTPUT;
  return {
    commandId: id,
    state,
    code: integerOf(payload['code'], -2_147_483_648, 2_147_483_647) ?? null,
    message: lineOf(payload['message'], 500) || null,
    output: (unpacked === undefined ? textOf(payload['output'], MAX_OUTPUT) : textOf(unpacked, MAX_UNPACKED)) ?? null,
    truncated: payload['truncated'] === true || isCut || isUnreadable,
  };
}

/** `up/log`; undefined without a message. */
export function readLog(payload: Payload): { level: 'info' | 'warning' | 'error'; message: string } | undefined {
  const message = lineOf(payload['message'], 500);
  return message ? { level: oneOf(payload['level'], ['info', 'warning', 'error']) ?? 'info', message } : undefined;
}
