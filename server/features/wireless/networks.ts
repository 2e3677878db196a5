import { sql, type RawBuilder } from 'kysely';
import type { DeviceHotspot, DeviceWireless, Hotspot, WirelessDevice } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import {
  applyListQuery,
  byText,
  containsAny,
  containsText,
  inOrderOf,
  integers,
  isOneOf,
  type ListColumns,
} from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';
import type { KnownAccount, KnownSession } from './read-hotspot-answer.ts';
import { namesForActor } from './vouchers.ts';

const ref = sql.ref;
const STATES: Record<string, number> = { offline: 0, online: 1 };
const stateName = (status: number | null): 'online' | 'offline' | 'not_activated' =>
  status === 1 ? 'online' : status === 0 ? 'offline' : 'not_activated';

/** `status=online,not_activated` as a condition. */
function isInState(values: readonly string[]) {
  const known = values.flatMap((value) => (value in STATES ? [STATES[value]] : []));
  const others = values.includes('not_activated') ? sql`(devices.status is null or devices.status not in (0, 1))` : sql`1 = 0`;
  return sql<boolean>`(${known.length > 0 ? sql`devices.status in (${sql.join(known)})` : sql`1 = 0`} or ${others})`;
}

/** A figure or a text of all networks of a device. */
const wirelessSum = (column: 'clients' | 'received' | 'sent') =>
  sql<number>`(select coalesce(sum(${ref(`device_wireless.${column}`)}), 0) from device_wireless where device_wireless.device_id = devices.id)`;
const hotspotUsers = sql<number>`(select coalesce(sum(device_hotspots.users), 0) from device_hotspots where device_hotspots.device_id = devices.id)`;
const updatedIn = (table: 'device_wireless' | 'device_hotspots') =>
  sql<number | null>`(select max(${ref(`${table}.updated_at`)}) from ${sql.table(table)} where ${ref(`${table}.device_id`)} = devices.id)`;
const hasRows = (table: 'device_wireless' | 'device_hotspots') =>
  sql<boolean>`exists (select 1 from ${sql.table(table)} where ${ref(`${table}.device_id`)} = devices.id)`;
const hasSsid = (table: 'device_wireless' | 'device_hotspots', condition: RawBuilder<unknown>) =>
  sql<boolean>`exists (select 1 from ${sql.table(table)} where ${ref(`${table}.device_id`)} = devices.id and ${condition})`;

function columnsOf(table: 'device_wireless' | 'device_hotspots', sorts: ListColumns['sorts']): ListColumns {
  return {
    id: ref('devices.id'),
    sorts: {
      id: { by: ref('devices.id') },
      name: { by: sql.ref('devices.name_key') },
      model: { by: ref('devices.model') },
      firmware: { by: ref('devices.firmware') },
      company_name: byText('companies.name'),
      updated_at: { by: updatedIn(table), isNullable: true },
      ...sorts,
    },
    filters: {
      company_id: (values) => isWithin(ref('devices.company_id'), integers(values)),
      status: (values) => isInState(values),
      model: (values) => isOneOf(ref('devices.model'), values),
      firmware: (values) => isOneOf(ref('devices.firmware'), values),
      ssid_names: (values) => hasSsid(table, sql`${containsAny(ref(`${table}.ssid`), values)}`),
      wireless_id: (values) => isOneOf(ref('devices.id'), integers(values)),
    },
    search: (text) =>
      sql<boolean>`(${containsText([ref('devices.name'), ref('devices.model'), ref('devices.serial')], text)}
        or ${hasSsid(table, sql`${containsText([ref(`${table}.ssid`)], text)}`)})`,
  };
}

const wirelessColumns = columnsOf('device_wireless', {
  clients_count: { by: wirelessSum('clients') },
  received: { by: wirelessSum('received') },
  sent: { by: wirelessSum('sent') },
});
const hotspotColumns = columnsOf('device_hotspots', { online_users: { by: hotspotUsers } });

const visibleDevices = (db: Db, actor: Actor, table: 'device_wireless' | 'device_hotspots') =>
  db
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .where(isVisible(actor, 'devices'))
    .where(hasRows(table));

/** The names of the networks of these devices, each once, by device. */
async function ssidsOf(db: Db, table: 'device_wireless' | 'device_hotspots', ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.selectFrom(table).select(['device_id', 'ssid']).where('device_id', 'in', ids).orderBy('id').execute();
  const names = new Map<number, Set<string>>();
  for (const { device_id, ssid } of rows) if (ssid !== '') names.set(device_id, (names.get(device_id) ?? new Set()).add(ssid));
  return new Map([...names].map(([id, set]) => [id, [...set].join(', ')]));
}

const DEVICE_COLUMNS = [
  'devices.id',
  'devices.name',
  'devices.model',
  'devices.description',
  'devices.firmware',
  'devices.status',
  'devices.company_id',
  'companies.name as company_name',
  'devices.created_at',
] as const;

/** One page of the devices that the actor sees which make Wi-Fi networks. */
export async function listWireless(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: WirelessDevice[]; total: number }> {
  const { rows, total } = await applyListQuery(visibleDevices(db, actor, 'device_wireless').select('devices.id'), query, wirelessColumns);
  const ids = rows.map(({ id }) => id);
  const found = await visibleDevices(db, actor, 'device_wireless')
    .select(DEVICE_COLUMNS)
    .select([
      wirelessSum('clients').as('clients_count'),
      wirelessSum('received').as('received'),
      wirelessSum('sent').as('sent'),
      updatedIn('device_wireless').as('updated_at'),
    ])
    .where('devices.id', 'in', ids)
    .execute();
  const ssids = await ssidsOf(db, 'device_wireless', ids);
  return {
    total,
    rows: inOrderOf(ids, found).map(({ status, created_at, updated_at, ...row }) => ({
      ...row,
      status: stateName(status),
      ssid_names: ssids.get(row.id) ?? null,
      clients_count: Number(row.clients_count),
      received: Number(row.received),
      sent: Number(row.sent),
      updated_at: wireTime(updated_at === null ? null : Number(updated_at)),
      created_at: wireTime(created_at),
    })),
  };
}

/** One page of the devices that the actor sees which have hotspots. */
export async function listHotspots(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: Hotspot[]; total: number }> {
  const { rows, total } = await applyListQuery(visibleDevices(db, actor, 'device_hotspots').select('devices.id'), query, hotspotColumns);
  const ids = rows.map(({ id }) => id);
  const found = await visibleDevices(db, actor, 'device_hotspots')
    .select(DEVICE_COLUMNS)
    .select([hotspotUsers.as('online_users'), updatedIn('device_hotspots').as('updated_at')])
    .where('devices.id', 'in', ids)
    .execute();
  const ssids = await ssidsOf(db, 'device_hotspots', ids);
  return {
    total,
    rows: inOrderOf(ids, found).map(({ status, created_at: _created, updated_at, ...row }) => ({
      ...row,
      status: stateName(status),
      is_esim_bootstrap: false,
      ssid_names: ssids.get(row.id) ?? null,
      online_users: Number(row.online_users),
      updated_at: wireTime(updated_at === null ? null : Number(updated_at)),
    })),
  };
}

/** The Wi-Fi networks of a device. Throws NOT_FOUND. */
export async function listDeviceWireless(ctx: Context, actor: Actor, deviceId: number): Promise<DeviceWireless[]> {
  const device = await requireDevice(ctx.reads, actor, deviceId);
  const rows = await ctx.reads.selectFrom('device_wireless').selectAll().where('device_id', '=', device.id).orderBy('interface').execute();
  return rows.map(({ interface: wlan_id, clients, updated_at, ...row }) => ({
    ...row,
    wlan_id,
    clients_count: clients,
    updated_at: wireTime(updated_at),
  }));
}

/** The hotspots of a device, with accounts and sessions as they were when the device was asked last. Throws NOT_FOUND. */
export async function listDeviceHotspots(ctx: Context, actor: Actor, deviceId: number): Promise<DeviceHotspot[]> {
  const device = await requireDevice(ctx.reads, actor, deviceId);
  const rows = await ctx.reads
    .selectFrom('device_hotspots')
    .selectAll()
    .where('device_id', '=', device.id)
    .orderBy('hotspot_index')
    .execute();
  const nameOf = await namesForActor(ctx, actor, device.id);
  return rows.map((row) => ({
    id: row.id,
    device_id: row.device_id,
    hotspot_index: String(row.hotspot_index),
    ssid: row.ssid,
    status: row.active === 1,
    hotspot_ip: row.ip,
    online_users: row.users,
    auth_type: row.auth_type,
    // Written by the job's answers alone.
    accounts: (JSON.parse(row.accounts) as KnownAccount[]).map((account) => ({ ...account, name: nameOf(account.name) })),
    sessions: (JSON.parse(row.sessions) as KnownSession[]).map((session) => ({ ...session, name: nameOf(session.name) })),
    read_at: wireTime(row.read_at),
    updated_at: wireTime(row.updated_at),
  }));
}

/** A hotspot of a device that the actor sees, by its row or by its number on the device. Throws NOT_FOUND. */
export async function requireHotspot(ctx: Context, actor: Actor, by: { id: number } | { deviceId: number; index: number }) {
  const row = await ctx.reads
    .selectFrom('device_hotspots')
    .innerJoin('devices', 'devices.id', 'device_hotspots.device_id')
    .select(['device_hotspots.id', 'device_hotspots.device_id', 'device_hotspots.hotspot_index', 'device_hotspots.accounts'])
    .select('device_hotspots.sessions')
    .select('device_hotspots.ssid')
    .where(isVisible(actor, 'devices'))
    .where((eb) =>
      'id' in by
        ? eb('device_hotspots.id', '=', by.id)
        : eb.and([eb('device_hotspots.device_id', '=', by.deviceId), eb('device_hotspots.hotspot_index', '=', by.index)]),
    )
    .executeTakeFirst();
  if (!row) throw new NotFound({});
  return row;
}
