import type { Db, Row } from '../../db/schema.ts';

type Status = Row<'serial_numbers'>['status'];

/**
 * What system administrators have decided about the device with this serial number and MAC; undefined when nothing. An entry without a MAC stands for
 * every device with its serial number; one with this MAC goes before it.
 */
export async function decisionAbout(db: Db, { serial, mac }: { serial: string; mac: string }): Promise<Status | undefined> {
  const rows = await db
    .selectFrom('serial_numbers')
    .select(['mac', 'status'])
    .where('serial', '=', serial)
    .where('mac', 'in', ['', mac])
    .execute();
  return (rows.find((row) => row.mac !== '') ?? rows[0])?.status;
}
