import type { Insertable } from 'kysely';
import type { Db, Row, Tables } from '../db/schema.ts';

/** Adds a company below another, or without one at the top of a tree of its own; its path needs its own number, so it is written in two steps. */
export async function insertCompany(
  db: Db,
  parent: Pick<Row<'companies'>, 'id' | 'level' | 'path'> | null,
  fields: Pick<Insertable<Tables['companies']>, 'name' | 'show_payment'>,
  at: number,
): Promise<Row<'companies'>> {
  const { level, path, parentId } = parent ? { ...parent, parentId: parent.id } : { level: 0, path: '/', parentId: null };
  const { id } = await db
    .insertInto('companies')
    .values({ ...fields, level: level + 1, parent_id: parentId, path: `${path}?`, created_at: at, updated_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return db
    .updateTable('companies')
    .set({ path: `${path}${id}/` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
