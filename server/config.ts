import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { readKept, type KeptMs } from './kept-config.ts';
import { readRemote, remoteFault, type RemoteConfig } from './remote-config.ts';
import { ConfigError } from './config-error.ts';
import { settingsTable } from './settings-table.ts';
import { readZones, type VpnZone } from './vpn-zones.ts';

export { ConfigError } from './config-error.ts';
export { settingsTable } from './settings-table.ts';

export type SettingName = (typeof settingsTable)[number]['name'];

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Config {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | undefined;
  /** Without a trailing slash; undefined until the port is known when none is set. */
  publicUrl: string | undefined;
  mqttPort: number;
  mqttHost: string;
  mqttUrl: string | undefined;
  mqttPublicHost: string | undefined;
  mqttPublicPort: number | undefined;
  remote: RemoteConfig;
  reportSeconds: number;
  smtpUrl: string | undefined;
  smtpFrom: string | undefined;
  /** Mail servers of companies may be in private networks. */
  mailServersPrivate: boolean;
  secretKeyFile: string;
  trustProxy: string[];
  docsUrl: string | undefined;
  /** With {z}, {x} and {y}. */
  mapTilesUrl: string | undefined;
  mapAttribution: string;
  cellsFile: string | undefined;
  logLevel: string;
  formsDir: string;
  localesDir: string;
  /** Bytes that the files of one company may take. */
  fileQuotaBytes: number;
  telemetryRawMs: number;
  telemetryHoursMs: number;
  telemetryDaysMs: number;
  keptMs: KeptMs;
  /** How long the history is kept; undefined: for ever. */
  historyMs: number | undefined;
  /** Readings of one device in an hour. */
  telemetryPerHour: number;
  telemetryNames: number;
  deviceEventsPerHour: number;
  /** Of one customer. */
  telemetryBytesPerDay: number;
  diskReserveBytes: number;
  /** Whether credits, codes and company data are part of this installation. */
  hasResources: boolean;
  /** Devices whose serial number nobody has approved wait in quarantine. */
  needsApproval: boolean;
  /** By the name that form files use. */
  webhooks: ReadonlyMap<string, WebhookSetting>;
  terms: Terms | undefined;
  oidc: OidcSetting | undefined;
  /** Where VPN hubs are; the first one unless another is chosen. */
  vpnZones: readonly VpnZone[];
}

/** The identity provider whose accounts may sign in. */
export interface OidcSetting {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  label: string;
}

/** The terms of service that people accept before going on. */
export interface Terms {
  version: string;
  /** Plain text. */
  text: string;
}

/** A program that forms may call. */
export interface WebhookSetting {
  url: string;
  /** Signs every call. */
  secret: string;
  /** It may be in a private network, or on this machine. */
  allowPrivate: boolean;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

function readFileSettings(path: string): Record<string, string> {
  if (!existsSync(path)) return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(`${path}: not valid JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new ConfigError(`${path}: expected an object of settings`);
  const known = new Set<string>(settingsTable.map((setting) => setting.name));
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(parsed)) {
    if (!known.has(name)) throw new ConfigError(`${path}: unknown setting "${name}". Known: ${[...known].join(', ')}`);
    const isJson = settingsTable.some((setting) => setting.name === name && setting.kind === 'json');
    if (isJson && typeof value === 'object') {
      result[name] = JSON.stringify(value);
      continue;
    }
    if (typeof value !== 'string' && typeof value !== 'number') throw new ConfigError(`${path}: ${name} must be a text or a number`);
    result[name] = String(value);
  }
  return result;
}

/** An address as messages may show it: of one with a password nothing up to the @ is repeated, and nothing of its query. */
export function shownUrl(value: string): string {
  return value.replace(/^([\w+.-]*:\/*)?.*@/s, '$1…@').replace(/\?.*$/s, '?…');
}

const isProxyAddress = (part: string): boolean => {
  const [address = '', prefix, ...rest] = part.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
};

const listOf = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** Its host becomes part of the content policy, so it is what `URL` makes of it or nothing. */
function isTilesUrl(value: string): boolean {
  const url = URL.parse(value.replaceAll(/[{}]/g, ''));
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || /[\s"'<>;,]/.test(value)) return false;
  const start = value.indexOf('/', value.indexOf('//') + 2);
  return ['{z}', '{x}', '{y}'].every((part) => value.indexOf(part, start) > start) && value.indexOf('{') > start;
}

function checkSetting(setting: (typeof settingsTable)[number], value: string): void {
  const fail = (expected: string): never => {
    const shown = setting.kind === 'url' ? shownUrl(value) : value;
    throw new ConfigError(`${setting.name}="${shown}": expected ${expected}. ${setting.comment}`);
  };
  if (setting.kind === 'port' && !(/^\d{1,5}$/.test(value) && Number(value) <= 65535)) fail('a port from 0 to 65535');
  if (setting.kind === 'switch' && value !== 'on' && value !== 'off') fail('on or off');
  if (setting.kind === 'integer' && !/^[1-9]\d{0,5}$/.test(value)) fail('a whole number from 1 to 999999');
  if (setting.kind === 'url' && value !== '' && !URL.canParse(value)) fail('an address with a scheme, such as https://fleet.example.org');
  if (setting.name === 'MAIL_SERVERS_PRIVATE' && value !== 'yes' && value !== 'no') fail('yes or no');
  if (setting.name === 'LOG_LEVEL' && !LOG_LEVELS.includes(value)) fail(`one of ${LOG_LEVELS.join(', ')}`);
  if (setting.name === 'DATABASE_URL' && value !== '' && !/^postgres(ql)?:$/.test(new URL(value).protocol))
    fail('postgres://user:password@host:port/database');
  if ((setting.name === 'PUBLIC_URL' || setting.name === 'DOCS_URL') && value !== '' && !/^https?:$/.test(new URL(value).protocol))
    fail('an http or https address');
  if (setting.name === 'MAP_TILES_URL' && value !== '' && !isTilesUrl(value))
    fail('an http or https address with {z}, {x} and {y} in its path');
  if (setting.name === 'MQTT_URL' && value !== '' && !/^mqtts?:$/.test(new URL(value).protocol)) fail('mqtt://user:password@host:port');
  if (setting.name === 'SMTP_URL' && value !== '' && !/^smtps?:$/.test(new URL(value).protocol)) fail('smtp://user:password@host:port');
  if (setting.name === 'TRUST_PROXY' && !listOf(value).every(isProxyAddress))
    fail('addresses or networks such as 127.0.0.1 and 10.0.0.0/8, separated by commas');
  if (setting.name === 'MQTT_PUBLIC_HOST' && !/^[\w.:[\]-]*$/.test(value)) fail('a host name or an address');
  const fault = remoteFault(setting.name, value, isProxyAddress, listOf(value));
  if (fault !== undefined) fail(fault);
  if (setting.name === 'SMTP_FROM' && value !== '' && !/^[^\s"'(),:;<>@]+@[^\s"'(),:;<>@]+$/.test(value)) fail('one e-mail address');
}

const MIN_SECRET = 16;

function webhookOf(name: string, value: unknown): WebhookSetting {
  // @NOTE The value is never repeated: it holds a secret.
  const fail = (expected: string): never => {
    throw new ConfigError(`WEBHOOKS: "${name}": expected ${expected}`);
  };
  if (!/^[a-z][a-z0-9-]{0,40}$/.test(name)) fail('a name of small letters, digits and hyphens');
  const { url, secret, allowPrivate, ...rest } = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) fail(`url, secret and allowPrivate, not "${unknown}"`);
  if (typeof url !== 'string' || !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return fail('an http or https "url"');
  if (typeof secret !== 'string' || secret.length < MIN_SECRET) return fail(`a "secret" of ${MIN_SECRET} characters or more`);
  if (allowPrivate !== undefined && typeof allowPrivate !== 'boolean') return fail('true or false as "allowPrivate"');
  return { url, secret, allowPrivate: allowPrivate === true };
}

function readWebhooks(text: string): Map<string, WebhookSetting> {
  if (text === '') return new Map();
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new ConfigError('WEBHOOKS: expected JSON such as {"billing":{"url":"https://…","secret":"…"}}');
  return new Map(Object.entries(parsed).map(([name, value]) => [name, webhookOf(name, value)]));
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

function readOidc(text: (name: SettingName) => string): OidcSetting | undefined {
  const issuer = text('OIDC_ISSUER');
  if (issuer === '') return undefined;
  const { protocol, hostname } = new URL(issuer);
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.has(hostname)))
    throw new ConfigError(`OIDC_ISSUER="${shownUrl(issuer)}": expected an https address`);
  if (text('OIDC_CLIENT_ID') === '') throw new ConfigError('OIDC_CLIENT_ID="": expected a text beside OIDC_ISSUER');
  const file = text('OIDC_CLIENT_SECRET_FILE');
  try {
    const clientSecret = file === '' ? undefined : readFileSync(resolve(file), 'utf8').trim();
    return { issuer, clientId: text('OIDC_CLIENT_ID'), clientSecret, label: text('OIDC_LABEL') };
  } catch (error) {
    throw new ConfigError(`OIDC_CLIENT_SECRET_FILE="${file}": ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readTerms(path: string, version: string): Terms | undefined {
  if (path === '') return undefined;
  let text: string;
  try {
    text = readFileSync(resolve(path), 'utf8').trim();
  } catch (error) {
    throw new ConfigError(`TERMS_FILE="${path}": ${error instanceof Error ? error.message : String(error)}`);
  }
  if (text === '') throw new ConfigError(`TERMS_FILE="${path}": the file is empty`);
  return { text, version: version || createHash('sha256').update(text).digest('hex').slice(0, 12) };
}

/** Reads the settings: environment over canopy.config.json over defaults. Throws ConfigError naming the first wrong one. */
export function loadConfig(env: Record<string, string | undefined> = process.env, file = resolve('canopy.config.json')): Config {
  const fromFile = readFileSettings(file);
  const values = new Map<SettingName, string>();
  for (const setting of settingsTable) {
    const value = (env[setting.name] ?? fromFile[setting.name] ?? setting.default).trim();
    checkSetting(setting, value);
    values.set(setting.name, value);
  }
  const text = (name: SettingName): string => values.get(name) ?? '';
  const optional = (name: SettingName): string | undefined => text(name) || undefined;
  const dataDir = resolve(text('DATA_DIR'));
  return {
    port: Number(text('PORT')),
    host: text('HOST'),
    dataDir,
    databaseUrl: optional('DATABASE_URL'),
    publicUrl: optional('PUBLIC_URL')?.replace(/\/+$/, ''),
    mqttPort: Number(text('MQTT_PORT')),
    mqttHost: text('MQTT_HOST') || text('HOST'),
    mqttUrl: optional('MQTT_URL'),
    mqttPublicHost: optional('MQTT_PUBLIC_HOST'),
    mqttPublicPort: Number(text('MQTT_PUBLIC_PORT')) || undefined,
    remote: readRemote(text, listOf),
    reportSeconds: Number(text('REPORT_SECONDS')),
    smtpUrl: optional('SMTP_URL'),
    smtpFrom: optional('SMTP_FROM'),
    mailServersPrivate: text('MAIL_SERVERS_PRIVATE') === 'yes',
    secretKeyFile: text('SECRET_KEY_FILE') ? resolve(text('SECRET_KEY_FILE')) : resolve(dataDir, 'secret.key'),
    trustProxy: listOf(text('TRUST_PROXY')),
    docsUrl: optional('DOCS_URL'),
    mapTilesUrl: optional('MAP_TILES_URL'),
    mapAttribution: text('MAP_ATTRIBUTION'),
    cellsFile: text('CELLS_FILE') ? resolve(text('CELLS_FILE')) : undefined,
    logLevel: text('LOG_LEVEL'),
    formsDir: text('FORMS_DIR') ? resolve(text('FORMS_DIR')) : resolve(dataDir, 'forms'),
    localesDir: text('LOCALES_DIR') ? resolve(text('LOCALES_DIR')) : resolve(dataDir, 'locales'),
    fileQuotaBytes: Number(text('FILE_QUOTA_MB')) * 1024 * 1024,
    telemetryRawMs: Number(text('TELEMETRY_RAW_DAYS')) * DAY_MS,
    telemetryHoursMs: Number(text('TELEMETRY_HOURS_DAYS')) * DAY_MS,
    telemetryDaysMs: Number(text('TELEMETRY_DAYS_YEARS')) * 365 * DAY_MS,
    keptMs: readKept(text),
    historyMs: text('HISTORY_YEARS') === '999999' ? undefined : Number(text('HISTORY_YEARS')) * 365 * DAY_MS,
    telemetryPerHour: Number(text('TELEMETRY_PER_HOUR')),
    telemetryNames: Number(text('TELEMETRY_NAMES')),
    deviceEventsPerHour: Number(text('DEVICE_EVENTS_PER_HOUR')),
    telemetryBytesPerDay: Number(text('TELEMETRY_MB_PER_DAY')) * 1024 * 1024,
    diskReserveBytes: Number(text('DISK_RESERVE_MB')) * 1024 * 1024,
    hasResources: text('RESOURCES') === 'on',
    needsApproval: text('DEVICE_APPROVAL') === 'on',
    webhooks: readWebhooks(text('WEBHOOKS')),
    oidc: readOidc(text),
    vpnZones: readZones({ zones: text('VPN_ZONES'), host: text('VPN_HOST'), helper: text('VPN_HELPER'), ports: text('VPN_PORTS') }),
    terms: readTerms(text('TERMS_FILE'), text('TERMS_VERSION')),
  };
}

/** The settings as a table for `npm start -- --help`. */
export function describeSettings(): string {
  return settingsTable
    .map((setting) => `  ${setting.name.padEnd(18)} ${(setting.default || '(none)').padEnd(12)} ${setting.comment}`)
    .join('\n');
}
