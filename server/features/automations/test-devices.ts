import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { TestedDevice } from './replay.ts';
import { isForDevice } from './scope.ts';

const MOST_DEVICES = 10_000;

/** Devices that an automation is for, at most 10,000, as far as the actor sees them. */
export function devicesForTest(ctx: Context, actor: Actor, automation: Row<'automations'>): Promise<TestedDevice[]> {
  const query = ctx.reads
    .selectFrom('devices')
    .select(['devices.id', 'devices.name', 'devices.timezone'])
    .where(isVisible(actor, 'devices'))
    .where(isForDevice(automation))
    .orderBy('devices.id')
    .limit(MOST_DEVICES);
  return ctx.database.longReads.rows(query.compile());
}
