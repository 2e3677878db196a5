import { sql } from 'kysely';
import { answerBytes } from '../../../schemas/kit/devices/collected.ts';
import { supports } from '../../../schemas/kit/devices/device-capabilities.ts';
import {
  LEAST_PERIOD,
  MONITORING_PARTS,
  MOST_PERIOD,
  PART_MEMBERS,
  PART_NEEDS,
  periodKeyOf,
  USUAL_PART_PERIOD,
  type MonitoringEntry,
  type MonitoringPart,
} from '../../../schemas/kit/devices/monitoring-parts.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { DetailsReport } from '../../domain/devices/details-report.ts';
import type { Actor } from '../../kernel/actor.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { textKey } from '../../kernel/apply-list-query.ts';

/** Bytes to a device for a message of it: connecting and acknowledging. */
const DOWN_BYTES = 430;
/** Bytes from it beside what the message says. */
const AROUND_BYTES = 300;
/** A status report with its readings. */
const STATUS_BYTES = 1024;
/** What a part weighs that was never reported. */
const GUESSED_BYTES = 200;

const LABELS: Record<MonitoringPart, string> = {
  static: 'Ports, networks and modems',
  io: 'Inputs and outputs',
  gps: 'Position',
  wireless: 'Wi-Fi networks',
  hotspot: 'Hotspots',
};
const NOTICES: Record<string, string> = {
  has_io: 'This model has no inputs and outputs.',
  has_gps: 'This model has no GPS.',
  has_wifi: 'This model has no Wi-Fi.',
  has_hotspot: 'This model and firmware have no hotspot.',
  has_periods: 'The agent on this device is too old. Update it.',
};

const bounds = { min: LEAST_PERIOD, max: MOST_PERIOD, down: DOWN_BYTES } as const;

function partEntry(device: Row<'devices'>, details: Partial<DetailsReport>, part: MonitoringPart): MonitoringEntry {
  const said = PART_MEMBERS[part].flatMap((member): unknown[] => [details[member] ?? []].flat());
  const need = PART_NEEDS[part];
  const isThere = need === undefined || said.length > 0 || supports(device, need);
  const knowsPeriods = device.reported_periods !== null;
  const compatKey = isThere && !knowsPeriods ? 'has_periods' : need === undefined ? null : `has_${need}`;
  const key = periodKeyOf(part);
  return {
    label: LABELS[part],
    key,
    ...bounds,
    up: AROUND_BYTES + (said.length > 0 ? Buffer.byteLength(JSON.stringify(said)) : GUESSED_BYTES),
    period: device[key] ?? USUAL_PART_PERIOD,
    default: USUAL_PART_PERIOD,
    config_id: null,
    compatKey,
    compatNotice: isThere && knowsPeriods ? null : (NOTICES[compatKey ?? ''] ?? null),
  };
}

/** What a device reports and how often: by itself, and for the monitoring templates that the actor sees. The caller has checked that the actor sees the device. */
export async function readMonitoringEntries(ctx: Context, actor: Actor, device: Row<'devices'>): Promise<MonitoringEntry[]> {
  const [row, templates] = await Promise.all([
    ctx.reads.selectFrom('device_details').select('details').where('device_id', '=', device.id).executeTakeFirst(),
    ctx.reads
      .selectFrom('monitoring_assignments')
      .innerJoin('monitoring_templates', 'monitoring_templates.id', 'monitoring_assignments.template_id')
      .select(['template_id', 'name', 'data', 'monitoring_assignments.period', 'monitoring_templates.period as usual', 'last_bytes'])
      .where('device_id', '=', device.id)
      .where('monitoring_assignments.is_enabled', '=', 1)
      .where('monitoring_templates.is_enabled', '=', 1)
      .where(isVisible(actor, 'monitoring_templates'))
      .orderBy(textKey(sql.ref('monitoring_templates.name')))
      .orderBy('template_id')
      .execute(),
  ]);
  // Only the device channel writes the column, cleaned.
  const details: Partial<DetailsReport> = row ? (JSON.parse(row.details) as Partial<DetailsReport>) : {};
  const plain = { ...bounds, compatKey: null, compatNotice: null } as const;
  return [
    {
      label: 'Status and readings',
      key: 'dynamic_monitoring',
      ...plain,
      up: STATUS_BYTES,
      period: device.dynamic_monitoring ?? device.report_seconds,
      default: ctx.config.reportSeconds,
      config_id: null,
    },
    ...MONITORING_PARTS.map((part) => partEntry(device, details, part)),
    ...templates.map(({ template_id, name, data, period, usual, last_bytes }) => ({
      label: name,
      key: `template_${template_id}`,
      ...plain,
      up: answerBytes((JSON.parse(data) as unknown[]).length, last_bytes),
      period,
      default: usual,
      config_id: template_id,
    })),
  ];
}
