import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';

/**
 * Notes, in the transaction that puts tags on devices (`[device, tag]`), what those tags do to them. It is started after the commit, once the device
 * is online, action by action; a device that carried the tag before is not in the list and has nothing done to it.
 */
export async function queueTagActions(ctx: Context, trx: Trx, added: readonly (readonly [number, number])[]): Promise<void> {
  if (added.length === 0) return;
  const member = (index: number) => sql<number>`cast(item.value ->> ${sql.lit(index)} as bigint)`;
  await sql`insert into tag_runs (tag_id, device_id, action_id, kind, input, user_id, company_id, user_name, state, created_at)
    select tag_actions.tag_id, ${member(0)}, tag_actions.id, tag_actions.kind, tag_actions.input, tag_actions.created_by, tag_actions.company_id, tag_actions.user_name,
      'waiting', cast(${ctx.clock.now()} as bigint)
    from ${ctx.database.tools.jsonRows(added)} inner join tag_actions on tag_actions.tag_id = ${member(1)}
    order by tag_actions.id`.execute(trx);
}
