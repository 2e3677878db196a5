import type { DeviceSettings } from '../../../schemas/kit/devices/configuration.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { systemOf, type System } from './documents.ts';

export interface KnownDevice {
  id: number;
  name: string;
  serial: string | null;
  mac: string | null;
  system: System | undefined;
  settings: DeviceSettings | undefined;
  readAt: number | null;
}

/** These devices with what they were set to, in the order asked for. Throws NOT_FOUND at `<source>.<index>` for one that the actor does not see. */
export async function knownDevices(
  ctx: Context,
  actor: Actor,
  ids: readonly number[],
  source: (index: number) => string,
): Promise<KnownDevice[]> {
  const rows = await ctx.reads
    .selectFrom('devices')
    .leftJoin('device_configurations', 'device_configurations.device_id', 'devices.id')
    .select([
      'devices.id',
      'devices.name',
      'devices.serial',
      'devices.mac',
      'devices.model',
      'devices.os',
      'device_configurations.settings',
      'device_configurations.read_at',
    ])
    .where('devices.id', 'in', ctx.database.tools.idList(ids))
    .where(isVisible(actor, 'devices'))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id, index) => {
    const row = byId.get(id);
    if (!row) throw new NotFound({}, { source: source(index) });
    const settings = row.settings === null ? undefined : (JSON.parse(row.settings) as DeviceSettings);
    return { id, name: row.name, serial: row.serial, mac: row.mac, system: systemOf(row), settings, readAt: row.read_at };
  });
}
