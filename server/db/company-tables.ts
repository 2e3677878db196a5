import type { Millis } from './column-types.ts';

/** What a company itself had on a day, without those below it. */
export interface CompanyDaysTable {
  company_id: number;
  /** When the day began, UTC. */
  day: Millis;
  devices: number;
  online: number;
  users: number;
}

/** How many devices of a company itself were heard of in a month; a device counts once, for the company that it was in then. */
export interface CompanyMonthsTable {
  company_id: number;
  /** When the month began, UTC. */
  month: Millis;
  devices: number;
}

/** What the devices of a company itself sent and received on a day, in bytes. */
export interface CompanyTrafficTable {
  company_id: number;
  /** When the day began, UTC. */
  day: Millis;
  sent: number;
  received: number;
}
