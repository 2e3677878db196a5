import type { Row } from '../../server/db/schema.ts';
import { deviceSearchText } from '../../server/domain/devices/search-text.ts';
import { makeDevice, makeDeviceKey, type Place } from './factories.ts';

const ROWS_PER_STATEMENT = 200;
const FIRST_SERIAL = 1_200_000_000;

/** `count` devices like the one that `makeDevice` makes of `values`, each with its own name, serial number, MAC and key; in the order of their ids. */
export async function makeDevices(place: Place, count: number, values: Parameters<typeof makeDevice>[1]): Promise<Row<'devices'>[]> {
  const { id, ...first } = await makeDevice(place, values);
  const numbers = Array.from({ length: count - 1 }, (_, index) => id * 100_000 + index + 1);
  const rows = numbers.map((number) => {
    const mac = number.toString(16).toUpperCase().padStart(12, '0').match(/../g)?.join(':') ?? '';
    const basics = { name: `fleet-${number}`, serial: String(FIRST_SERIAL + number), mac };
    const device_key = makeDeviceKey();
    return { ...first, ...basics, device_key, search_text: deviceSearchText({ ...basics, imei: null }) };
  });
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    await place.ctx.db
      .insertInto('devices')
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      .execute();
  return place.ctx.db
    .selectFrom('devices')
    .selectAll()
    .where('company_id', '=', first.company_id)
    .where('id', '>=', id)
    .orderBy('id')
    .execute();
}
