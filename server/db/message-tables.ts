import type { Generated } from 'kysely';
import type { Flag, JsonText, Millis } from './schema.ts';

/** Something that happened and has not been told to anybody yet; written with the change itself, taken off when notifications are made of it. */
export interface NoticesTable {
  id: Generated<number>;
  at: Millis;
  kind: string;
  company_id: number;
  subject_id: number | null;
  /** Empty for devices: their name is read when it is told. */
  subject_name: string;
  /** Who alone is told; null: whoever sees the company. */
  user_id: number | null;
  details: JsonText;
}

export interface NotificationsTable {
  id: Generated<number>;
  user_id: number;
  company_id: number;
  kind: string;
  /** What repeats of it have in common while nobody has seen it. */
  group_key: string;
  subject_id: number | null;
  subject_name: string;
  details: JsonText;
  count: number;
  in_console: Flag;
  /** It waits for the next daily mail. */
  by_mail: Flag;
  created_at: Millis;
  updated_at: Millis;
  seen_at: Millis | null;
}

/** What a user wants to hear about: of one company and all below it, or of every company (null). */
export interface NotificationRulesTable {
  id: Generated<number>;
  user_id: number;
  company_id: number | null;
  /** JSON arrays of kinds. */
  in_console: JsonText;
  by_mail: JsonText;
  updated_at: Millis;
}

/** When and how a user gets the daily mail. */
export interface NotificationDigestsTable {
  user_id: number;
  /** 0 to 23, by the clock of the zone. */
  hour: number;
  /** IANA name. */
  timezone: string;
  language: string;
  /** The day in that zone, `2026-11-21`, for which it was sent last. */
  sent_on: string | null;
}
