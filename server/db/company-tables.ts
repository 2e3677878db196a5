import type { Millis } from './schema.ts';

/** What a company itself had on a day, without those below it. */
export interface CompanyDaysTable {
  company_id: number;
  /** When the day began, UTC. */
  day: Millis;
  devices: number;
  online: number;
  users: number;
}

/** What the devices of a company itself sent and received on a day, in bytes. */
export interface CompanyTrafficTable {
  company_id: number;
  /** When the day began, UTC. */
  day: Millis;
  sent: number;
  received: number;
}
