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

interface ThemesTable {
  /** A top-level company. */
  company_id: number;
  /** Lower case, without a port; anyone who comes to it sees this theme before signing in. */
  host_name: string | null;
  /** JSON of `Branding`, see domain/themes.ts. */
  branding: string;
  updated_at: Millis;
}

interface ThemePicturesTable {
  /** Names this very picture in its address. */
  key: string;
  company_id: number;
  kind: 'favicon' | 'logo_vector' | `model:${string}`;
  /** `image/svg+xml`, `image/png` or `image/x-icon`. */
  type: string;
  /** base64 */
  bytes: string;
}

export interface ThemeTables {
  themes: ThemesTable;
  theme_pictures: ThemePicturesTable;
}
