import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';
import { NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { deviceOpenings } from '../../domain/maintenance-windows/device-windows.ts';

/** When a device may be worked on, as the wire shows it; null members where nothing restricts it. */
export interface DeviceMaintenance {
  name: string | null;
  is_open: boolean | null;
  opens_at: string | null;
  closes_at: string | null;
}

/** The maintenance window of a device that is open, or opens next. Throws NOT_FOUND. */
export async function openingOfDevice(ctx: Context, actor: Actor, id: number): Promise<DeviceMaintenance> {
  const device = await ctx.reads
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select(['devices.id', 'devices.timezone', 'companies.path as company_path'])
    .where('devices.id', '=', id)
    .where(isVisible(actor, 'devices'))
    .executeTakeFirst();
  if (!device) throw new NotFound({});
  const now = ctx.clock.now();
  const opening = (await deviceOpenings(ctx, ctx.reads, [device], now)).get(id);
  if (!opening) return { name: null, is_open: null, opens_at: null, closes_at: null };
  return { name: opening.name, is_open: opening.from <= now, opens_at: wireTime(opening.from), closes_at: wireTime(opening.to) };
}
