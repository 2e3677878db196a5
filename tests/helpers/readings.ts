import { inTransaction } from '../../server/kernel/db/database.ts';
import { storeReadings } from '../../server/domain/devices/store-readings.ts';
import type { World } from './world.ts';

/** Keeps a reading of a device as if it had come this long ago (milliseconds). */
export async function addReading(
  world: World,
  device: { id: number },
  { age, value = 1, metric = 'temperature' }: { age: number; value?: number; metric?: string },
): Promise<void> {
  const at = world.clock.now() - age;
  await inTransaction(world.ctx.db, (trx) => storeReadings(trx, [{ device_id: device.id, metric, at, value }]));
}
