import { sql } from 'kysely';
import type { Automation } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';

const MOST_DEVICES = 10_000;

/** Devices that an automation is for, at most 10,000, as far as the actor sees them. */
export function devicesForTest(ctx: Context, actor: Actor, automation: Automation): Promise<Row<'devices'>[]> {
  const { id, company_id, applies_to, tag_ids } = automation;
  return ctx.reads
    .selectFrom('devices')
    .selectAll('devices')
    .where(isVisible(actor, 'devices'))
    .where(isWithin(sql.ref('devices.company_id'), [company_id]))
    .$if(applies_to === 'device', (query) =>
      query.where('devices.id', 'in', (own) =>
        own.selectFrom('automation_devices').select('automation_devices.device_id').where('automation_devices.automation_id', '=', id),
      ),
    )
    .$if(applies_to === 'tag', (query) =>
      query.where('devices.id', 'in', (tagged) =>
        tagged
          .selectFrom('device_tags')
          .select('device_tags.device_id')
          .where('device_tags.tag_id', 'in', [0, ...tag_ids]),
      ),
    )
    .orderBy('devices.id')
    .limit(MOST_DEVICES)
    .execute();
}
