import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { isForDevice } from './scope.ts';

const MOST_DEVICES = 10_000;

/** Devices that an automation is for, at most 10,000, as far as the actor sees them. */
export function devicesForTest(ctx: Context, actor: Actor, automation: Row<'automations'>): Promise<Row<'devices'>[]> {
  return ctx.reads
    .selectFrom('devices')
    .selectAll('devices')
    .where(isVisible(actor, 'devices'))
    .where(isForDevice(automation))
    .orderBy('devices.id')
    .limit(MOST_DEVICES)
    .execute();
}
