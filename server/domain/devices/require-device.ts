import type { Db, Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';

/** A device that the actor sees. Throws NOT_FOUND, at `source` where one is named. */
export async function requireDevice(db: Db, actor: Actor, id: number, source?: string): Promise<Row<'devices'>> {
  const device = await db.selectFrom('devices').selectAll().where('id', '=', id).where(isVisible(actor, 'devices')).executeTakeFirst();
  if (!device) throw new NotFound({}, source === undefined ? {} : { source });
  return device;
}
