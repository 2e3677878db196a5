import type { Device } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { MQTT_LEVEL } from '../../domain/devices/mqtt-level.ts';
import type { DetailsReport } from '../../domain/devices/details-report.ts';
import { SECOND } from '../../kernel/clock.ts';
import { momentOf } from '../../kernel/moments.ts';
import { isVisible } from '../../kernel/tenancy.ts';

const FACELIFT = /[-_ ]facelift$/i;

/** Documented members for inputs and outputs, by what devices call them. */
const PINS = {
  digital_input: 'din1',
  digital_isolated_input: 'din2',
  analog_input: 'adc0',
  analog_current_loop: 'acl0',
  open_collector_output: 'dout1',
  relay_output: 'relay0',
  relay_output_2: 'relay1',
  digital_inout0: 'dio0',
  digital_inout1: 'dio1',
  digital_inout2: 'dio2',
  dry_wet_input0: 'dwi0',
  dry_wet_input1: 'dwi1',
} as const;

/** Documented members of a device that come from its model, its state and what it reported of its parts. */
export const FROM_DETAILS = [
  'original_model',
  'is_facelift',
  'is_authenticated',
  'activation_status',
  'mqtt',
  'wlan_mac',
  'mcc',
  'mnc',
  'mcc_2',
  'mnc_2',
  'connection_state',
  'sim_state',
  'pin_state',
  'connection_state_2',
  'sim_state_2',
  'pin_state_2',
  'temperature_2',
  'fix_status',
  'satellites',
  'altitude',
  'speed',
  'course',
  'gps_time',
  'accuracy',
  ...Object.keys(PINS),
] as const;

/** What these devices reported of their parts, by device; what the actor does not see is left out. */
export async function readReports(
  ctx: Pick<Context, 'reads' | 'database'>,
  actor: Actor,
  ids: readonly number[],
): Promise<Map<number, DetailsReport>> {
  const rows = await ctx.reads
    .selectFrom('device_details')
    .innerJoin('devices', 'devices.id', 'device_details.device_id')
    .select(['device_details.device_id', 'device_details.details'])
    .where('devices.id', 'in', ctx.database.tools.idList(ids))
    .where(isVisible(actor, 'devices'))
    .execute();
  // Only the device channel writes the column.
  return new Map(rows.map(({ device_id, details }) => [device_id, JSON.parse(details) as DetailsReport]));
}

/** Members whose state is a text in the public API. */
export const TEXT_PINS: ReadonlySet<string> = new Set(['analog_input', 'analog_current_loop', 'relay_output']);

/** What a pin reads, as a text where the public API documents one. */
function stateOf(member: string, state: number | undefined): number | string | null {
  if (state === undefined) return null;
  return TEXT_PINS.has(member) ? String(state) : state;
}

/** `24201`: the country, then the network. */
const partsOf = (plmn: string | null): [string | null, string | null] => (plmn === null ? [null, null] : [plmn.slice(0, 3), plmn.slice(3)]);

/** The documented members of a device beyond its record; null where it reported nothing. */
export function membersOf(device: Device, report: DetailsReport | undefined): Record<string, unknown> {
  const [first, second] = report?.modems ?? [];
  const position = report?.position ?? null;
  const pins = new Map(report?.pins?.map(({ name, state }) => [name, state]));
  const [mcc, mnc] = partsOf(device.operator_number);
  const [mcc2, mnc2] = partsOf(device.operator_number_2);
  return {
    original_model: device.model?.replace(FACELIFT, '') ?? null,
    is_facelift: FACELIFT.test(device.model ?? '') ? 1 : 0,
    is_authenticated: device.status !== null && device.failed_auth_reason === null ? 1 : 0,
    activation_status: device.status === null ? '0' : '1',
    monitoring_enabled: device.monitoring_enabled ? 1 : 0,
    mqtt: MQTT_LEVEL,
    wlan_mac: report?.interfaces?.find(({ name, mac }) => name.startsWith('wl') && mac !== null)?.mac ?? null,
    mcc,
    mnc,
    mcc_2: mcc2,
    mnc_2: mnc2,
    connection_state: first?.connection_state ?? null,
    sim_state: first?.sim_state ?? null,
    pin_state: first?.pin_state ?? null,
    connection_state_2: second?.connection_state ?? null,
    sim_state_2: second?.sim_state ?? null,
    pin_state_2: second?.pin_state ?? null,
    temperature_2: second?.temperature ?? null,
    fix_status: position === null ? null : 1,
    satellites: position?.satellites ?? null,
    altitude: position?.altitude ?? null,
    speed: position?.speed ?? null,
    course: position?.course ?? null,
    gps_time: position?.fixed_at ? momentOf(position.fixed_at) / SECOND : null,
    accuracy: position?.accuracy ?? null,
    ...Object.fromEntries(Object.entries(PINS).map(([member, pin]) => [member, stateOf(member, pins.get(pin))])),
  };
}
