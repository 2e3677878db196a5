import { sql } from 'kysely';
import type { Trx } from '../../db/schema.ts';
import type { PendingChanges } from './pending-changes.ts';

/** When the month of a moment began, UTC. */
function monthOf(at: number): number {
  const day = new Date(at);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1);
}

/**
 * Counts devices that are heard of for the first time in a month, for the company that they are in. The mark on the device is set and asked in one
 * statement, so that two servers do not count one twice.
 */
export async function countActive(trx: Trx, drafts: readonly PendingChanges[], now: number): Promise<void> {
  const month = monthOf(now);
  const ids = drafts.filter(({ row, isHeard }) => isHeard && row.active_month !== month).map(({ row }) => row.id);
  if (ids.length === 0) return;
  const counted = await trx
    .updateTable('devices')
    .set({ active_month: month })
    .where('id', 'in', ids)
    .where((eb) => eb.or([eb('active_month', 'is', null), eb('active_month', '<>', month)]))
    .returning('company_id')
    .execute();
  const byCompany = Map.groupBy(counted, ({ company_id }) => company_id);
  // In one order, so that two servers that write the same companies do not wait for each other.
  const rows = [...byCompany].toSorted(([a], [b]) => a - b).map(([id, devices]) => sql`(${id}, ${month}, ${devices.length})`);
  if (rows.length === 0) return;
  await sql`insert into company_months (company_id, month, devices) values ${sql.join(rows)}
    on conflict (company_id, month) do update set devices = company_months.devices + excluded.devices`.execute(trx);
}
