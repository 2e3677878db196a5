import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

const TEXTS = [
  'operator_number',
  'cell_id',
  'lac',
  'imei_2',
  'imsi_2',
  'iccid_2',
  'modem_manufacturer_2',
  'modem_model_2',
  'modem_firmware_2',
  'connection_type_2',
  'operator_2',
  'operator_number_2',
  'network_state_2',
  'cell_id_2',
  'lac_2',
  'mobile_ip_2',
];
const NUMBERS = ['signal_2', 'rsrp_2', 'rsrq_2', 'sinr_2', 'sim_slot_2', 'sent_2', 'received_2'];

/** The cell of a modem, what devices report of a second one, and traffic by modem. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  for (const column of TEXTS) await sql`alter table devices add column ${sql.ref(column)} ${tools.binaryText}`.execute(db);
  for (const column of NUMBERS) await sql`alter table devices add column ${sql.ref(column)} ${big}`.execute(db);
  const flat = tools.kind === 'postgres' ? sql`` : sql`without rowid`;
  await sql`create table device_modem_traffic (device_id ${big} not null references devices (id) on delete cascade, day ${big} not null,
    modem integer not null default 1, sim integer not null, sent ${big} not null, received ${big} not null, primary key (device_id, day, modem, sim)) ${flat}`.execute(
    db,
  );
  await sql`insert into device_modem_traffic (device_id, day, modem, sim, sent, received)
    select device_id, day, 1, sim, sent, received from device_traffic`.execute(db);
  await sql`drop table device_traffic`.execute(db);
  await sql`alter table device_modem_traffic rename to device_traffic`.execute(db);
  await sql`create index device_traffic_day on device_traffic (day)`.execute(db);
}
