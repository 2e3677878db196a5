import type { Insertable } from 'kysely';
import type { Db, Row, Tables } from '../db/schema.ts';

/** Adds a company below another; its path needs its own number, so it is written in two steps. */
export async function insertCompany(
  db: Db,
  parent: Row<'companies'>,
  fields: Pick<Insertable<Tables['companies']>, 'name' | 'show_payment'>,
  at: number,
): Promise<Row<'companies'>> {
  const { id } = await db
    .insertInto('companies')
    .values({ ...fields, level: parent.level + 1, parent_id: parent.id, path: `${parent.path}?`, created_at: at, updated_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return db
    .updateTable('companies')
    .set({ path: `${parent.path}${id}/` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
