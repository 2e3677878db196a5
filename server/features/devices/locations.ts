import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import { normalizeMac } from '../../../schemas/kit/form/normalize-text.ts';
import { AppError, InvalidFields, NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { DeviceChange } from './edit.ts';

type Rows = FormData['devices/locations']['locations'];

/**
 * The positions of a list as changes of devices, which are named by serial number, MAC address or name, the first of them that fits. Throws NOT_FOUND and
 * INVALID_FIELD at `locations.<index>.device` for each that is unknown, that is one of several, or that is in the list twice.
 */
export async function locationChanges(ctx: Context, actor: Actor, rows: Rows): Promise<DeviceChange[]> {
  const names = [...new Set(rows.map(({ device }) => device.trim()))];
  const macs = names.flatMap((name) => normalizeMac(name) ?? []);
  const found = await ctx.reads
    .selectFrom('devices')
    .select(['devices.id', 'devices.name', 'devices.serial', 'devices.mac'])
    .where((where) =>
      where.or([where('devices.serial', 'in', names), where('devices.mac', 'in', macs), where('devices.name', 'in', names)]),
    )
    .where(isVisible(actor, 'devices'))
    .execute();
  const items: ErrorItem[] = [];
  const taken = new Set<number>();
  const changes = rows.flatMap(({ device, latitude, longitude }, index): DeviceChange[] => {
    const name = device.trim();
    const source = `locations.${index}.device`;
    const ways = [
      found.filter(({ serial }) => serial === name),
      found.filter(({ mac }) => mac !== null && mac === normalizeMac(name)),
      found.filter((one) => one.name === name),
    ];
    const [first, second] = ways.find((some) => some.length > 0) ?? [];
    const refuse = (message: string): [] => {
      items.push(...new InvalidFields([{ source, message }]).items);
      return [];
    };
    if (!first) {
      items.push(...new NotFound({}, { source }).items);
      return [];
    }
    if (second) return refuse('Several devices have this name. Use the serial number.');
    if (taken.has(first.id)) return refuse('This device is in the list already.');
    taken.add(first.id);
    return [{ id: first.id, user_set_latitude: latitude, user_set_longitude: longitude }];
  });
  const [one, ...rest] = items;
  if (one) throw new AppError([{ ...one, code: one.code === 'NOT_FOUND' ? 'NOT_FOUND' : 'INVALID_FIELD' }, ...rest]);
  return changes;
}
