import { sql, type Expression, type SqlBool } from 'kysely';
import { DEVICE_FEATURES } from '../../../schemas/kit/device-capabilities.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { integers, isOneOf, type ListColumns, type SortColumn } from '../../kernel/apply-list-query.ts';
import { isInArea, parseArea } from '../../kernel/places/area.ts';
import { normaliseMac } from '../../kernel/devices/search-text.ts';
import type { ListExtras } from '../../kernel/list-query.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';
import { FIRMWARE_FILTER, FIRMWARE_STATES } from './firmware-state.ts';
import { hasTask } from './pending.ts';
import { CAPABILITY_FILTER } from './capability.ts';
import { connectionBuckets, inBuckets, networkBuckets, signalBuckets, updatedBuckets, wanBuckets, type Buckets } from './buckets.ts';

const text = { kind: 'text', isNegatable: true } as const;
const extras: ListExtras = {
  sorts: ['id', 'company_id', 'updated_at'],
  filters: {
    model: text,
    firmware: text,
    area: text,
    site_id: { kind: 'integer', isNegatable: true, permission: 'view_sites' },
    operator: text,
    modem_manufacturer: text,
    modem_model: text,
    modem_firmware: text,
    [FIRMWARE_FILTER]: { kind: 'enum', values: FIRMWARE_STATES, isNegatable: true },
    tag_id: { kind: 'integer', isNegatable: true, permission: 'view_tags' },
    [CAPABILITY_FILTER]: { kind: 'enum', values: DEVICE_FEATURES, isNegatable: true },
  },
  fieldPermissions: { company_path: 'view_companies', site_id: 'view_sites' },
};

/** What a list of devices may ask for. */
export const deviceRules = listRulesOf('devices', extras);

const STATUS: Buckets = {
  online: sql`devices.status = 1`,
  offline: sql`devices.status = 0`,
  pending: sql`devices.status = 2`,
  not_activated: sql`devices.status is null`,
};

const column = (name: string): Expression<unknown> => sql.ref(`devices.${name}`);
const nullable = (name: string): SortColumn => ({ by: column(name), isNullable: true });
// An empty text is "not known", which the wire shows as null.
const emptyAsNull = (name: string): SortColumn => ({ by: sql`nullif(${column(name)}, '')`, isNullable: true });

const sorts: Record<string, SortColumn> = {
  id: { by: column('id') },
  name: { by: column('name') },
  serial: { by: column('serial') },
  mac: { by: column('mac') },
  company_id: { by: column('company_id') },
  company_name: { by: sql`(select companies.name from companies where companies.id = devices.company_id)` },
  created_at: { by: column('created_at') },
  updated_at: { by: column('updated_at') },
  model: emptyAsNull('model'),
  firmware: emptyAsNull('firmware'),
  ...Object.fromEntries(
    [
      'status',
      'connection_type',
      'last_connection_at',
      'last_update_at',
      'signal',
      'operator',
      'modem_model',
      'modem_firmware',
      'network_state',
      'wan_state',
      'sent',
      'received',
      'router_uptime',
      'temperature',
      'load1',
    ].map((name) => [name, nullable(name)]),
  ),
};

function hasTag(actor: Actor, values: (string | number)[]): Expression<SqlBool> {
  const ids = values.filter((value) => typeof value === 'number');
  const visibleTag = sql`exists (select 1 from tags where tags.id = device_tags.tag_id and ${isVisible(actor, 'tags')})`;
  const parts: Expression<SqlBool>[] = [];
  if (ids.length > 0) {
    parts.push(
      sql`devices.id in (select device_tags.device_id from device_tags where device_tags.tag_id in (${sql.join(ids)}) and ${visibleTag})`,
    );
  }
  const hasAny = sql<SqlBool>`exists (select 1 from device_tags where device_tags.device_id = devices.id and ${visibleTag})`;
  if (values.includes('not_null')) parts.push(hasAny);
  if (values.includes('is_null')) parts.push(sql`not ${hasAny}`);
  return parts.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(parts, sql` or `)})`;
}

function isAtSite(actor: Actor, values: (string | number)[]): Expression<SqlBool> {
  const ids = values.filter((value) => typeof value === 'number');
  const known = sql`select device_sites.device_id from device_sites inner join sites on sites.id = device_sites.site_id where ${isVisible(actor, 'sites')}`;
  const parts: Expression<SqlBool>[] = [];
  if (ids.length > 0) parts.push(sql`devices.id in (${known} and sites.id in (${sql.join(ids)}))`);
  if (values.includes('not_null')) parts.push(sql`devices.id in (${known})`);
  if (values.includes('is_null')) parts.push(sql`devices.id not in (${known})`);
  return parts.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(parts, sql` or `)})`;
}

const groups: Record<string, Buckets> = {
  status: STATUS,
  signal: signalBuckets(column('signal')),
  connection_type: connectionBuckets(column('connection_type')),
  network_state: networkBuckets(column('network_state')),
  wan_state: wanBuckets(column('wan_state')),
};
const byGroup = Object.fromEntries(Object.entries(groups).map(([key, group]) => [key, (values: string[]) => inBuckets(group, values)]));

/** How the list of devices is asked of the database by this actor. Free text is the list's own matter: see search.ts. */
export function deviceColumns(ctx: Context, actor: Actor): ListColumns {
  return {
    id: sql.ref('devices.id'),
    sorts,
    filters: {
      ...byGroup,
      information_updated: (values) => inBuckets(updatedBuckets(column('last_update_at'), ctx.clock.now()), values),
      company_id: (values) => isWithin(column('company_id'), integers(values)),
      tag_id: (values) => hasTag(actor, integers(values)),
      model: (values) => isOneOf(column('model'), values),
      firmware: (values) => isOneOf(column('firmware'), values),
      operator: (values) => isOneOf(column('operator'), values),
      modem_manufacturer: (values) => isOneOf(column('modem_manufacturer'), values),
      modem_model: (values) => isOneOf(column('modem_model'), values),
      modem_firmware: (values) => isOneOf(column('modem_firmware'), values),
      area: (values) => sql`devices.id in (select p.device_id from device_places as p where ${isInArea(parseArea(values, 'area'))})`,
      site_id: (values) => isAtSite(actor, integers(values)),
      task: (values) => hasTask(values),
      quarantine: (values) => isOneOf(column('quarantine'), values),
      mac: (values) =>
        isOneOf(
          column('mac'),
          values.map((value) => normaliseMac(value) ?? value),
        ),
      is_simulated: (values) =>
        isOneOf(
          column('is_simulated'),
          values.map((value) => (value === '1' || value === 'true' ? 1 : 0)),
        ),
    },
  };
}
