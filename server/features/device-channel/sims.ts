import { sql } from 'kysely';
import type { NewRow, Row, Trx } from '../../db/schema.ts';
import { DAY } from '../../kernel/clock.ts';
import { boundedSum } from '../../kernel/db/sum-bytes.ts';
import { MAX_BYTES_A_DAY } from './traffic.ts';
import type { DeviceRow, PendingChanges } from './pending-changes.ts';

/** `8947080012345678901`, `8947080012345678901F`: what SIMs have printed on them, by ITU-T E.118. */
const ICCID = /^(\d{18,22})F*$/i;
/** A device that names ever other SIMs shall not fill the list. */
const MOST_SIMS_A_DAY = 20;
/** Of a SIM that goes to and fro. */
const MOST_PLACES = 100;

interface Reported {
  row: DeviceRow;
  modem: 1 | 2;
  slot: number;
  iccid: string;
  imsi: string | null;
  operator: string | null;
  sent: number;
  received: number;
  /** The device says something else of its SIM than before. */
  isNews: boolean;
}

type Sim = Row<'sims'>;

const iccidOf = (value: string | null): string | undefined => ICCID.exec(value ?? '')?.[1];

function reportedBy({ row, changes, traffic, secondTraffic }: PendingChanges): Reported[] {
  const [first, second] = [iccidOf(row.iccid), iccidOf(row.iccid_2)];
  const isNew = (...names: (keyof typeof changes)[]) => names.some((name) => changes[name] !== undefined);
  const bytes = row.wan_state === 'Mobile' ? traffic : { sent: 0, received: 0 };
  const all: Reported[] = [
    ...(first === undefined
      ? []
      : [
          {
            ...{ row, modem: 1 as const, slot: row.sim_slot ?? 1, iccid: first, imsi: row.imsi, operator: row.operator, ...bytes },
            isNews: isNew('iccid', 'sim_slot', 'imsi', 'operator'),
          },
        ]),
    ...(second === undefined
      ? []
      : [
          {
            ...{ row, modem: 2 as const, slot: row.sim_slot_2 ?? 1, iccid: second, imsi: row.imsi_2, operator: row.operator_2 },
            ...secondTraffic,
            isNews: isNew('iccid_2', 'sim_slot_2', 'imsi_2', 'operator_2'),
          },
        ]),
  ];
  return all.filter(({ isNews, sent, received }) => isNews || sent + received > 0);
}

const keyOf = (companyId: number, iccid: string): string => `${companyId} ${iccid}`;

/** The SIMs that are spoken of, by company and number. */
async function findSims(trx: Trx, reported: readonly Reported[]): Promise<Map<string, Sim>> {
  const ids = [...new Set(reported.map(({ row }) => row.id))];
  const held = await trx.selectFrom('sims').selectAll().where('device_id', 'in', ids).execute();
  const known = new Map(held.map((sim) => [keyOf(sim.company_id, sim.iccid), sim]));
  const missing = reported.filter(({ row, iccid }) => !known.has(keyOf(row.company_id, iccid)));
  if (missing.length === 0) return known;
  const others = await trx
    .selectFrom('sims')
    .selectAll()
    .where((eb) => eb.or(missing.map(({ row, iccid }) => eb.and([eb('company_id', '=', row.company_id), eb('iccid', '=', iccid)]))))
    .execute();
  for (const sim of others) known.set(keyOf(sim.company_id, sim.iccid), sim);
  return known;
}

/** Takes a SIM out of the place that it was in. */
async function leave(trx: Trx, ids: readonly number[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await trx.updateTable('sim_places').set({ until_at: now }).where('sim_id', 'in', ids).where('until_at', 'is', null).execute();
}

/** Puts a SIM where a device has found it: what was in that slot is in no device then. */
async function settle(trx: Trx, sim: Pick<Sim, 'id'>, { row, modem, slot }: Reported, now: number): Promise<void> {
  const pushedOut = await trx
    .updateTable('sims')
    .set({ device_id: null, last_seen_at: now })
    .where('device_id', '=', row.id)
    .where('modem', '=', modem)
    .where('slot', '=', slot)
    .where('id', '<>', sim.id)
    .returning('id')
    .execute();
  await leave(trx, [sim.id, ...pushedOut.map(({ id }) => id)], now);
  const place: NewRow<'sim_places'> = {
    sim_id: sim.id,
    from_at: now,
    until_at: null,
    device_id: row.id,
    device_name: row.name,
    modem,
    slot,
  };
  await trx
    .insertInto('sim_places')
    .values(place)
    .onConflict((conflict) => conflict.columns(['sim_id', 'from_at']).doUpdateSet({ ...place }))
    .execute();
  await sql`delete from sim_places where sim_id = ${sim.id} and from_at < (select min(from_at) from
    (select from_at from sim_places where sim_id = ${sim.id} order by from_at desc limit ${MOST_PLACES}) as newest)`.execute(trx);
}

async function mayAdd(trx: Trx, deviceId: number, now: number): Promise<boolean> {
  const { count } = await trx
    .selectFrom('sim_places')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('device_id', '=', deviceId)
    .where('from_at', '>', now - DAY)
    .executeTakeFirstOrThrow();
  return Number(count) < MOST_SIMS_A_DAY;
}

/** Adds a SIM that the company of the device has not seen before; undefined when another server has just done so, or the device names too many. */
async function addSim(trx: Trx, { row, modem, slot, iccid, imsi, operator }: Reported, now: number): Promise<Sim | undefined> {
  if (!(await mayAdd(trx, row.id, now))) return undefined;
  return trx
    .insertInto('sims')
    .values({
      ...{ company_id: row.company_id, iccid, imsi, operator, device_id: row.id, modem, slot, first_seen_at: now, last_seen_at: now },
      ...{ phone_number: '', note: '', limit_bytes: null, starts_on: 1 },
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'iccid']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Writes what a device says of a SIM that is known; answers whether the SIM is in this device. */
async function renewSim(trx: Trx, sim: Sim, reported: Reported, now: number): Promise<boolean> {
  const { row, modem, slot, imsi, operator, isNews } = reported;
  const isHere = sim.device_id === row.id;
  // Of two devices that name the same SIM, the one that says so newly has it.
  if (!isHere && sim.device_id !== null && !isNews) return false;
  const hasMoved = !isHere || sim.modem !== modem || sim.slot !== slot;
  if (hasMoved && !(await mayAdd(trx, row.id, now))) return false;
  if (!hasMoved && sim.imsi === imsi && sim.operator === operator) return true;
  const values = { imsi, operator, device_id: row.id, modem, slot, last_seen_at: now };
  await trx.updateTable('sims').set(values).where('id', '=', sim.id).execute();
  if (hasMoved) await settle(trx, sim, reported, now);
  return true;
}

/** Adds bytes to the days of SIMs. */
async function addSimTraffic(trx: Trx, bytes: readonly { sim_id: number; sent: number; received: number }[], now: number): Promise<void> {
  const day = now - (now % DAY);
  const added = (column: 'sent' | 'received') => boundedSum(`sim_traffic.${column}`, sql`excluded.${sql.ref(column)}`, MAX_BYTES_A_DAY);
  // In one order, so that two servers that write the same SIMs do not wait for each other; a SIM once, as the upsert wants it.
  const rows = [...Map.groupBy(bytes, ({ sim_id }) => sim_id)]
    .toSorted(([a], [b]) => a - b)
    .map(([sim_id, own]) => {
      const sum = (column: 'sent' | 'received') =>
        Math.min(
          MAX_BYTES_A_DAY,
          own.reduce((total, one) => total + one[column], 0),
        );
      return { sim_id, day, sent: sum('sent'), received: sum('received') };
    });
  if (rows.length === 0) return;
  await trx
    .insertInto('sim_traffic')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['sim_id', 'day']).doUpdateSet({ sent: added('sent'), received: added('received') }))
    .execute();
}

/**
 * Keeps the list of SIMs: which a company has, in which device each one is, and what went over it. A SIM belongs to the company of its device;
 * another company that reports the same number has a record of its own.
 */
export async function trackSims(trx: Trx, drafts: readonly PendingChanges[], now: number): Promise<void> {
  const reported = drafts.flatMap(reportedBy);
  if (reported.length === 0) return;
  const known = await findSims(trx, reported);
  const bytes: { sim_id: number; sent: number; received: number }[] = [];
  for (const one of reported) {
    const key = keyOf(one.row.company_id, one.iccid);
    const sim = known.get(key);
    const added = sim ? undefined : await addSim(trx, one, now);
    if (added) await settle(trx, added, one, now);
    const mine = added ?? (sim && (await renewSim(trx, sim, one, now)) ? { ...sim, device_id: one.row.id } : undefined);
    if (!mine) continue;
    known.set(key, { ...mine, modem: one.modem, slot: one.slot, imsi: one.imsi, operator: one.operator });
    if (one.sent + one.received > 0) bytes.push({ sim_id: mine.id, sent: one.sent, received: one.received });
  }
  await addSimTraffic(trx, bytes, now);
}
