import type { Device } from '../../../schemas/_generated/contract.ts';
import { CREDIT_KINDS } from '../../../schemas/kit/resources/credits.ts';
import { PERIOD_KEYS } from '../../../schemas/kit/devices/monitoring-parts.ts';
import { deviceCapabilities } from '../../../schemas/kit/devices/device-capabilities.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';
import { findTagActions, findTagDetails, presentTagAction } from '../../domain/tags/tag-actions.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { FROM_DETAILS, membersOf, readReports } from './documented-details.ts';

const FROM_CREDITS = [
  'credit_enabled',
  'credit_activated',
  'credit_expire_date',
  'auto_extend_credit',
  'management_credit_type',
  'management_credit_type_name',
  'management_credit_type_id',
  'data_credit_type',
  'data_credit_type_name',
  'data_credit_type_id',
] as const;

const FROM_PLACES = ['latitude', 'longitude'] as const;

/** Members of a device that the public API documents and devices here do not report: programs read null. */
export const unknownFields = [
  'batch_number',
  'product_code',
  'hardware_revision',
  'bootloader_version',
  'rscp',
  'ecio',
  'connection_uptime',
  'oc_output_cfg',
  'relay_output_cfg',
  'digital_non_isolated_input_4pin',
  'digital_open_collector_output_4pin',
  'cell_tower_latitude',
  'cell_tower_longitude',
  'cell_tower_accuracy',
  'ddns_monitoring',
  'vpn_monitoring',
  'vpn_monitoring_instances_state',
  'remaining_data',
  'ddns_rules_count',
  'is_esim_bootstrap',
  'rscp_2',
  'ecio_2',
  'connection_uptime_2',
  'cell_tower_latitude_2',
  'cell_tower_longitude_2',
  'cell_tower_accuracy_2',
] as const;

/** Judged by model and firmware alone, with the number once more under its documented name. */
const FROM_MODEL = ['device_id', ...Object.keys(deviceCapabilities({ model: '', firmware: '' }))];

/** What of a device programs of the public API may ask for beyond what the console knows. */
export const documentedFields: readonly string[] = [
  ...FROM_CREDITS,
  ...FROM_PLACES,
  ...PERIOD_KEYS,
  ...FROM_DETAILS,
  ...FROM_MODEL,
  ...unknownFields,
];

const nothing: Record<string, null> = Object.fromEntries(documentedFields.map((name) => [name, null]));

type Credit = Pick<Row<'device_credits'>, 'device_id' | 'service' | 'credit_type_id' | 'state' | 'auto_extend' | 'ends_at'>;

const kindOf = (credit: Credit | undefined): string | null =>
  credit ? (CREDIT_KINDS[Math.floor((credit.credit_type_id - 1) / 2)] ?? null) : null;

function creditMembers(credits: readonly Credit[]) {
  const held = credits.filter(({ state }) => state !== 'ended');
  const management = held.find(({ service }) => service === 'management');
  const data = held.find(({ service }) => service === 'data');
  return {
    credit_enabled: management ? 1 : 0,
    credit_activated: management?.state === 'running' ? 1 : 0,
    credit_expire_date: wireTime(management?.ends_at ?? null),
    auto_extend_credit: management?.auto_extend ?? 0,
    management_credit_type: kindOf(management),
    management_credit_type_name: kindOf(management),
    management_credit_type_id: management?.credit_type_id ?? null,
    data_credit_type: kindOf(data),
    data_credit_type_name: kindOf(data),
    data_credit_type_id: data?.credit_type_id ?? null,
  };
}

async function findCredits(ctx: Pick<Context, 'reads' | 'database'>, actor: Actor, ids: readonly number[]) {
  if (!can(actor, 'view_credits')) return undefined;
  const rows = await ctx.reads
    .selectFrom('device_credits')
    .innerJoin('devices', 'devices.id', 'device_credits.device_id')
    .select([
      'device_credits.device_id',
      'device_credits.service',
      'device_credits.credit_type_id',
      'device_credits.state',
      'device_credits.auto_extend',
      'device_credits.ends_at',
    ])
    .where('devices.id', 'in', ctx.database.tools.idList(ids))
    .where(isVisible(actor, 'devices'))
    .execute();
  return Map.groupBy(rows, (row) => row.device_id);
}

/** Of the tags of these devices what programs read beyond their name and colour, by tag. */
async function findTags(ctx: Pick<Context, 'reads'>, actor: Actor, devices: readonly Device[]): Promise<Map<number, object>> {
  const ids = [...new Set(devices.flatMap((device) => device.tags.map((tag) => tag.id)))];
  const details = await findTagDetails(ctx.reads, actor, ids);
  const actions = await findTagActions(ctx.reads, actor, [...details.keys()]);
  return new Map(
    [...details].map(([id, members]) => [
      id,
      { ...members, ...(actions ? { actions: actions.filter(({ tag_id }) => tag_id === id).map(presentTagAction) } : {}) },
    ]),
  );
}

/** Devices as programs of the public API read them: with every documented member, null where nothing is known, and their tags with what is documented of those. */
export async function documentDevices(
  ctx: Pick<Context, 'reads' | 'database'>,
  actor: Actor,
  devices: readonly Device[],
): Promise<(Device & Record<string, unknown>)[]> {
  if (devices.length === 0) return [];
  const ids = devices.map(({ id }) => id);
  const [credits, tags, reports, places, periods] = await Promise.all([
    findCredits(ctx, actor, ids),
    findTags(ctx, actor, devices),
    readReports(ctx, actor, ids),
    ctx.reads
      .selectFrom('device_places')
      .innerJoin('devices', 'devices.id', 'device_places.device_id')
      .select(['devices.id', 'device_places.latitude', 'device_places.longitude'])
      .where('devices.id', 'in', ctx.database.tools.idList(ids))
      .where('device_places.source', '=', 'gps')
      .where(isVisible(actor, 'devices'))
      .execute(),
    ctx.reads
      .selectFrom('devices')
      .select(['id', ...PERIOD_KEYS])
      .where('id', 'in', ctx.database.tools.idList(ids))
      .where(isVisible(actor, 'devices'))
      .execute(),
  ]);
  return devices.map((device) => {
    const place = places.find(({ id }) => id === device.id);
    return {
      ...nothing,
      ...device,
      ...periods.find(({ id }) => id === device.id),
      device_id: device.id,
      ...deviceCapabilities({ model: device.model ?? '', firmware: device.firmware ?? '' }),
      ...(credits ? creditMembers(credits.get(device.id) ?? []) : {}),
      ...membersOf(device, reports.get(device.id)),
      ...(place ? { latitude: place.latitude, longitude: place.longitude } : {}),
      tags: device.tags.map((tag) => ({ ...tag, ...tags.get(tag.id) })),
    };
  });
}
