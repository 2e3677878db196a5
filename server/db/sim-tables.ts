import type { Generated } from 'kysely';
import type { Millis } from './column-types.ts';

/** A SIM that a device of a company has reported. Devices write the first part, people the second. */
interface SimsTable {
  id: Generated<number>;
  /** That of the device which holds it, or held it last. */
  company_id: number;
  iccid: string;
  imsi: string | null;
  operator: string | null;
  /** null: in no device any more. */
  device_id: number | null;
  /** Where it is in its device, or was last: 1 or 2, and the slot of that modem. */
  modem: number;
  slot: number;
  first_seen_at: Millis;
  /** When it was reported last by a device that it has left since, or was found at its place. */
  last_seen_at: Millis;
  phone_number: string;
  note: string;
  /** null: no limit. */
  limit_bytes: number | null;
  /** The day of the month on which its month begins, 1 to 28. */
  starts_on: number;
}

/** Which device held a SIM, from when to when; `until_at` null: it is still there. */
interface SimPlacesTable {
  sim_id: number;
  from_at: Millis;
  until_at: Millis | null;
  device_id: number | null;
  /** What the device was called then. */
  device_name: string;
  modem: number;
  slot: number;
}

/** Bytes over a SIM on a day (UTC), whatever device it was in. */
interface SimTrafficTable {
  sim_id: number;
  day: Millis;
  sent: number;
  received: number;
}

export interface SimTables {
  sims: SimsTable;
  sim_places: SimPlacesTable;
  sim_traffic: SimTrafficTable;
}
