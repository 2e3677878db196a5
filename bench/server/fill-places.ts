import { pointOf } from '../../schemas/kit/resources/mercator.ts';
import type { Db } from '../../server/db/schema.ts';

const ROWS_PER_INSERT = 500;
/** Steps that spread devices over the land of the north without any two at one place. */
const LATITUDE = { from: 35, span: 30, step: 0.618_034 };
const LONGITUDE = { from: -10, span: 50, step: 0.754_877 };

const spread = (index: number, { from, span, step }: typeof LATITUDE): number => from + ((index * step) % 1) * span;

/** Gives every device a position of its own. */
export async function fillPlaces(db: Db): Promise<void> {
  const devices = await db.selectFrom('devices').select('id').execute();
  for (let start = 0; start < devices.length; start += ROWS_PER_INSERT) {
    const values = devices.slice(start, start + ROWS_PER_INSERT).map(({ id }) => {
      const [latitude, longitude] = [spread(id, LATITUDE), spread(id, LONGITUDE)];
      return { device_id: id, latitude, longitude, ...pointOf(latitude, longitude), source: 'gps' as const, at: 0 };
    });
    await db.insertInto('device_places').values(values).execute();
  }
}
