import type { Trx } from '../../db/schema.ts';

/** Deletes those of the devices that are in the bin for good, with all that is theirs. Answers which, with the keys that they had. */
export async function deleteRemovedDevices(trx: Trx, ids: readonly number[]): Promise<{ id: number; device_key: string }[]> {
  if (ids.length === 0) return [];
  const gone = await trx.deleteFrom('removed_devices').where('device_id', 'in', ids).returning(['device_id as id', 'device_key']).execute();
  const goneIds = gone.map(({ id }) => id);
  if (goneIds.length > 0) await trx.deleteFrom('devices').where('id', 'in', goneIds).execute();
  return gone;
}
