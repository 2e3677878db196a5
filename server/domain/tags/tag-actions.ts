import type { Tag } from '../../../schemas/_generated/contract.ts';
import type { Db, Row } from '../../db/schema.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { actionNameOf, sourceOf } from './action-kinds.ts';

/** What these tags do to devices that get them; nothing for who does not see device actions. */
export async function findTagActions(db: Db, actor: Actor, tagIds: readonly number[]): Promise<Row<'tag_actions'>[] | undefined> {
  if (!can(actor, 'view_device_actions')) return undefined;
  if (tagIds.length === 0) return [];
  return db.selectFrom('tag_actions').selectAll().where('tag_id', 'in', tagIds).orderBy('id').execute();
}

/** An action of a tag as the wire shows it. */
export function presentTagAction(row: Row<'tag_actions'>): NonNullable<Tag['actions']>[number] {
  return {
    tag_id: row.tag_id,
    action: actionNameOf(row.kind),
    ...sourceOf(row.input),
    created_at: wireTime(row.created_at),
  };
}

/** What programs of the public API read of each of these tags beyond its name and colour, by its id; tags that the actor does not see are left out. */
export async function findTagDetails(db: Db, actor: Actor, tagIds: readonly number[]) {
  if (tagIds.length === 0) return new Map<number, never>();
  const rows = await db
    .selectFrom('tags')
    .select(['id', 'company_id', 'description', 'created_at', 'updated_at'])
    .where('id', 'in', tagIds)
    .where(isVisible(actor, 'tags'))
    .execute();
  return new Map(
    rows.map(({ id, company_id, description, created_at, updated_at }) => [
      id,
      { company_id, description, created_at: wireTime(created_at), updated_at: wireTime(updated_at) },
    ]),
  );
}
