import { sql } from 'kysely';
import type { Trx } from '../../db/schema.ts';
import { DAY } from '../../kernel/clock.ts';
import { boundedSum } from '../../kernel/db/sum-bytes.ts';
import type { PendingChanges } from './pending-changes.ts';

/** A petabyte: a device that lies in its reports shall not make a day's sum that nobody can add up. */
export const MAX_BYTES_A_DAY = 1e15;

const added = (table: 'company_traffic' | 'device_traffic', column: 'sent' | 'received') =>
  boundedSum(`${table}.${column}`, sql`excluded.${sql.ref(column)}`, MAX_BYTES_A_DAY);

const NO_SIM = 0;

/** Adds what each device has sent and received to its day, by modem and by the SIM in use. */
async function addDeviceTraffic(trx: Trx, drafts: readonly PendingChanges[], day: number): Promise<void> {
  const rows = drafts
    .flatMap(({ row, traffic, secondTraffic }) => [
      { row, modem: 1, sim: row.wan_state === 'Mobile' ? (row.sim_slot ?? NO_SIM) : NO_SIM, bytes: traffic },
      { row, modem: 2, sim: row.sim_slot_2 ?? NO_SIM, bytes: secondTraffic },
    ])
    .filter(({ bytes }) => bytes.sent + bytes.received > 0)
    .map(({ row, modem, sim, bytes }) => ({
      device_id: row.id,
      day,
      modem,
      sim,
      sent: Math.min(bytes.sent, MAX_BYTES_A_DAY),
      received: Math.min(bytes.received, MAX_BYTES_A_DAY),
    }));
  if (rows.length === 0) return;
  await trx
    .insertInto('device_traffic')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['device_id', 'day', 'modem', 'sim']).doUpdateSet({
        sent: added('device_traffic', 'sent'),
        received: added('device_traffic', 'received'),
      }),
    )
    .execute();
}

/** Adds what devices have sent and received to the day of the companies that they are in. */
export async function addTraffic(trx: Trx, drafts: readonly PendingChanges[], now: number): Promise<void> {
  await addDeviceTraffic(trx, drafts, now - (now % DAY));
  const byCompany = new Map<number, { sent: number; received: number }>();
  for (const { row, traffic, secondTraffic } of drafts) {
    const sent = traffic.sent + secondTraffic.sent;
    const received = traffic.received + secondTraffic.received;
    if (sent + received === 0) continue;
    const former = byCompany.get(row.company_id) ?? { sent: 0, received: 0 };
    byCompany.set(row.company_id, {
      sent: Math.min(former.sent + sent, MAX_BYTES_A_DAY),
      received: Math.min(former.received + received, MAX_BYTES_A_DAY),
    });
  }
  // In one order, so that two servers that write the same companies do not wait for each other.
  const rows = [...byCompany]
    .toSorted(([a], [b]) => a - b)
    .map(([id, bytes]) => sql`(${id}, ${now - (now % DAY)}, ${bytes.sent}, ${bytes.received})`);
  if (rows.length === 0) return;
  await sql`insert into company_traffic (company_id, day, sent, received) values ${sql.join(rows)}
    on conflict (company_id, day) do update set sent = ${added('company_traffic', 'sent')}, received = ${added('company_traffic', 'received')}`.execute(
    trx,
  );
}
