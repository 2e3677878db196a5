import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import { FAIR_FROM, GOOD_FROM } from '../../../schemas/kit/devices/health.ts';
import { CREDIT_KINDS } from '../../../schemas/kit/resources/credits.ts';
import { DEVICE_FEATURES } from '../../../schemas/kit/devices/device-capabilities.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { byText, integers, isOneOf, type ListColumns, type SortColumn } from '../../kernel/apply-list-query.ts';
import { isInArea, parseArea } from '../../domain/places/area.ts';
import { normalizeMac } from '../../../schemas/kit/form/normalize-text.ts';
import type { FilterRule, ListExtras } from '../../kernel/list-query.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';
import { FIRMWARE_FILTER, FIRMWARE_STATES } from './firmware-state.ts';
import { hasTask } from './pending.ts';
import { CAPABILITY_FILTER } from './capability.ts';
import { customColumn, customRule } from './custom-columns.ts';
import { connectionBuckets, inBuckets, networkBuckets, signalBuckets, updatedBuckets, wanBuckets, type Buckets } from './value-buckets.ts';

const text = { kind: 'text', isNegatable: true } as const;
const MANAGEMENT_KINDS = CREDIT_KINDS.filter((kind) => !kind.startsWith('data'));
const DATA_KINDS = CREDIT_KINDS.filter((kind) => kind.startsWith('data'));

/** Documented filters of the public API: by credits, and by a second modem. */
const documented: Record<string, FilterRule> = {
  monitoring_status: { kind: 'enum', values: ['monitored', 'not_monitored'], isNegatable: false },
  management_credit_type: { kind: 'enum', values: MANAGEMENT_KINDS, isNegatable: false, permission: 'view_credits' },
  management_credit_type_id: { kind: 'integer', isNegatable: false, permission: 'view_credits' },
  data_credit_type: { kind: 'enum', values: DATA_KINDS, isNegatable: false, permission: 'view_credits' },
  data_credit_type_id: { kind: 'integer', isNegatable: false, permission: 'view_credits' },
  signal_2: { kind: 'enum', values: ['excellent', 'average', 'low', 'no_signal'], isNegatable: true },
  connection_type_2: { kind: 'enum', values: ['5g', '4g', '3g', '2g', 'unknown'], isNegatable: false },
  network_state_2: { kind: 'enum', values: ['home', 'roaming', 'unknown'], isNegatable: false },
  operator_2: text,
  modem_manufacturer_2: text,
  modem_model_2: text,
  modem_firmware_2: text,
};

const extras: ListExtras = {
  sorts: ['id', 'company_id', 'updated_at'],
  filters: {
    model: text,
    firmware: text,
    area: text,
    site_id: { kind: 'integer', isNegatable: true, permission: 'view_sites' },
    configuration_state: {
      kind: 'enum',
      values: ['equal', 'differs', 'unknown', 'is_null'],
      isNegatable: true,
      permission: 'create_multi_configuration',
    },
    operator: text,
    modem_manufacturer: text,
    modem_model: text,
    modem_firmware: text,
    [FIRMWARE_FILTER]: { kind: 'enum', values: FIRMWARE_STATES, isNegatable: true },
    tag_id: { kind: 'integer', isNegatable: true, permission: 'view_tags' },
    [CAPABILITY_FILTER]: { kind: 'enum', values: DEVICE_FEATURES, isNegatable: true },
    ...documented,
  },
  open: customRule,
  fieldPermissions: { company_path: 'view_companies', site_id: 'view_sites', configuration_state: 'create_multi_configuration' },
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
  name: { by: column('name_key') },
  serial: { by: column('serial') },
  mac: { by: column('mac') },
  company_id: { by: column('company_id') },
  company_name: byText(sql`(select companies.name from companies where companies.id = devices.company_id)`),
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
      'signal_2',
      'operator_2',
      'connection_type_2',
      'network_state_2',
      'modem_model_2',
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

/** Devices that are so with one of the templates that they follow; with `is_null` those that follow none. */
function isConfigured(values: readonly string[]): Expression<SqlBool> {
  const states = values.filter((value) => value !== 'is_null');
  const parts: RawBuilder<SqlBool>[] = [];
  if (states.length > 0)
    parts.push(sql`devices.id in (select f.device_id from device_templates as f where f.state in (${sql.join(states)}))`);
  if (values.includes('is_null')) parts.push(sql`devices.id not in (select f.device_id from device_templates as f)`);
  return sql<SqlBool>`(${sql.join(parts, sql` or `)})`;
}

/** Devices that have, or wait to begin, a credit of one of these types. */
function hasCredit(service: 'management' | 'data', typeIds: readonly (string | number)[]): Expression<SqlBool> {
  const held = sql`select device_credits.device_id from device_credits where device_credits.service = ${service} and device_credits.state <> 'ended'`;
  const ids = typeIds.filter((id) => typeof id === 'number');
  const parts: RawBuilder<SqlBool>[] = [];
  if (ids.length > 0) parts.push(sql`devices.id in (${held} and device_credits.credit_type_id in (${sql.join(ids)}))`);
  if (typeIds.includes('not_null')) parts.push(sql`devices.id in (${held})`);
  if (typeIds.includes('is_null')) parts.push(sql`devices.id not in (${held})`);
  return parts.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(parts, sql` or `)})`;
}

/** Both types of a kind of credit: the free and the paid one. */
const typesOf = (kinds: readonly string[]): number[] =>
  CREDIT_KINDS.flatMap((kind, index) => (kinds.includes(kind) ? [index * 2 + 1, index * 2 + 2] : []));

const MONITORING: Buckets = {
  monitored: sql`devices.monitoring_enabled = 1`,
  not_monitored: sql`devices.monitoring_enabled = 0`,
};

const groups: Record<string, Buckets> = {
  status: STATUS,
  signal: signalBuckets(column('signal')),
  connection_type: connectionBuckets(column('connection_type')),
  network_state: networkBuckets(column('network_state')),
  wan_state: wanBuckets(column('wan_state')),
  signal_2: signalBuckets(column('signal_2')),
  connection_type_2: connectionBuckets(column('connection_type_2')),
  network_state_2: networkBuckets(column('network_state_2')),
};
const byGroup = Object.fromEntries(Object.entries(groups).map(([key, group]) => [key, (values: string[]) => inBuckets(group, values)]));

/** Words that devices choose themselves; `unknown` is what has none, as in the charts. */
const OWN_WORDS = ['operator', 'modem_manufacturer', 'modem_model', 'modem_firmware'].flatMap((name) => [name, `${name}_2`]);
const byOwnWord = Object.fromEntries(
  OWN_WORDS.map((name) => [
    name,
    (values: string[]): Expression<SqlBool> =>
      values.includes('unknown')
        ? sql<SqlBool>`(${isOneOf(column(name), values)} or coalesce(${column(name)}, '') = '')`
        : isOneOf(column(name), values),
  ]),
);

/** The health score of the device of the query around it. */
export const healthScore = sql<number | null>`(select h.score from device_health as h where h.device_id = devices.id)`;

const HEALTH: Buckets = {
  good: sql`${healthScore} >= ${sql.lit(GOOD_FROM)}`,
  fair: sql`(${healthScore} >= ${sql.lit(FAIR_FROM)} and ${healthScore} < ${sql.lit(GOOD_FROM)})`,
  poor: sql`${healthScore} < ${sql.lit(FAIR_FROM)}`,
  unknown: sql`${healthScore} is null`,
};

/** How the list of devices is asked of the database by this actor. Free text is the list's own matter: see match.ts. */
export function deviceColumns(ctx: Context, actor: Actor): ListColumns {
  return {
    id: sql.ref('devices.id'),
    sorts: { ...sorts, health: { by: healthScore, isNullable: true } },
    open: customColumn,
    filters: {
      ...byGroup,
      information_updated: (values) => inBuckets(updatedBuckets(column('last_update_at'), ctx.clock.now()), values),
      company_id: (values) => isWithin(column('company_id'), integers(values)),
      tag_id: (values) => hasTag(actor, integers(values)),
      model: (values) => isOneOf(column('model'), values),
      firmware: (values) => isOneOf(column('firmware'), values),
      area: (values) => sql`devices.id in (select p.device_id from device_places as p where ${isInArea(parseArea(values, 'area'))})`,
      site_id: (values) => isAtSite(actor, integers(values)),
      task: (values) => hasTask(values),
      configuration_state: (values) => isConfigured(values),
      monitoring_status: (values) => inBuckets(MONITORING, values),
      management_credit_type: (values) => hasCredit('management', typesOf(values)),
      management_credit_type_id: (values) => hasCredit('management', integers(values)),
      data_credit_type: (values) => hasCredit('data', typesOf(values)),
      data_credit_type_id: (values) => hasCredit('data', integers(values)),
      ...byOwnWord,
      health: (values) => inBuckets(HEALTH, values),
      quarantine: (values) => isOneOf(column('quarantine'), values),
      mac: (values) =>
        isOneOf(
          column('mac'),
          values.map((value) => normalizeMac(value) ?? value),
        ),
      is_simulated: (values) =>
        isOneOf(
          column('is_simulated'),
          values.map((value) => (value === '1' || value === 'true' ? 1 : 0)),
        ),
    },
  };
}
