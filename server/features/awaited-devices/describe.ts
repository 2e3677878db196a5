import type { Db, Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';
import { visibleFiles } from '../../domain/files/visible-files.ts';

async function fileName(db: Db, actor: Actor, id: number | null): Promise<string | null> {
  if (id === null) return null;
  const file = await db.selectFrom('files').select('files.name').where('files.id', '=', id).where(visibleFiles(actor)).executeTakeFirst();
  return file?.name ?? null;
}

/** What a device that was added ahead waits for and gets then; null for one that has joined. The caller has checked that the actor sees the device. */
export async function describeAwaited(db: Db, actor: Actor, { id }: Pick<Row<'devices'>, 'id'>) {
  const row = await db.selectFrom('awaited_devices').selectAll().where('device_id', '=', id).executeTakeFirst();
  if (!row) return null;
  return {
    device_series: row.series,
    has_proof: row.proof_hash !== null,
    has_joined: row.joined_at !== null,
    firmware_file_name: await fileName(db, actor, row.firmware_file_id),
    config_file_name: await fileName(db, actor, row.config_file_id),
    user_name: row.user_name,
    created_at: wireTime(row.added_at),
  };
}
