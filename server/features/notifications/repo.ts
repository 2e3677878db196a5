import { sql } from 'kysely';
import type { Notification } from '../../../schemas/_generated/contract.ts';
import { notificationKinds, notificationTypes } from '../../../schemas/kit/resources/notification-kinds.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { applyListQuery, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';
import { presentNotification } from './present.ts';

const column = (name: string) => sql.ref(`notifications.${name}`);

const columns: ListColumns = {
  id: sql.ref('notifications.id'),
  sorts: { updated_at: { by: column('updated_at') }, created_at: { by: column('created_at') } },
  filters: {
    type: (values) => isOneOf(column('kind'), values),
    company_id: (values) => isWithin(column('company_id'), integers(values)),
    is_seen: (values) =>
      values.some((value) => value === '1' || value === 'true') ? sql`${column('seen_at')} is not null` : sql`${column('seen_at')} is null`,
  },
};

/** The reader's own, of what they may still see. */
function ownNotifications(db: Db, actor: Actor) {
  return db
    .selectFrom('notifications')
    .innerJoin('companies', 'companies.id', 'notifications.company_id')
    .where('notifications.user_id', '=', actor.userId)
    .where('notifications.in_console', '=', 1)
    .where(isVisible(actor, 'notifications'))
    .where(
      isOneOf(
        column('kind'),
        notificationTypes.filter((kind) => can(actor, notificationKinds[kind].permission)),
      ),
    );
}

/** One page of the reader's notifications, newest first unless asked otherwise. */
export async function listNotifications(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: Notification[]; total: number }> {
  const base = ownNotifications(db, actor).selectAll('notifications').select('companies.name as company_name');
  const { rows, total } = await applyListQuery(base, query, columns);
  return { rows: rows.map(presentNotification), total };
}

/** Marks the reader's notifications as seen; ids of others, and of what was seen before, change nothing. */
export async function markSeen(ctx: Context, actor: Actor, ids: readonly number[]): Promise<void> {
  await ctx.db
    .updateTable('notifications')
    .set({ seen_at: ctx.clock.now() })
    .where('user_id', '=', actor.userId)
    .where('seen_at', 'is', null)
    .where('id', 'in', ctx.database.tools.idList(ids))
    .execute();
}
