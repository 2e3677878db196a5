import type { Generated } from 'kysely';
import type { MailLog } from '../../schemas/_generated/contract.ts';
import type { Flag, JsonText, Millis } from './column-types.ts';

/** Something that happened and nobody has been notified of yet; written with the change itself, taken off when notifications are made of it. */
interface NoticesTable {
  id: Generated<number>;
  at: Millis;
  kind: string;
  company_id: number;
  subject_id: number | null;
  /** Empty for devices: their name is read when the notification is made. */
  subject_name: string;
  /** The only recipient; null: everybody who sees the company. */
  user_id: number | null;
  details: JsonText;
  /** The router of its site that is the reason why a device went: people hear of that one alone while it is. */
  cause_device_id: Generated<number | null>;
}

interface NotificationsTable {
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
interface NotificationRulesTable {
  id: Generated<number>;
  user_id: number;
  company_id: number | null;
  /** JSON arrays of kinds. */
  in_console: JsonText;
  by_mail: JsonText;
  /** From which severity on alerts are mailed at once. */
  alert_mail: Generated<'none' | 'info' | 'warning' | 'critical'>;
  /** How often a mail says again that alerts wait for an answer; 0: never. */
  remind_minutes: Generated<number>;
  updated_at: Millis;
}

/** When and how a user gets the daily mail. */
interface NotificationDigestsTable {
  user_id: number;
  /** 0 to 23, by the clock of the zone. */
  hour: number;
  /** IANA name. */
  timezone: string;
  language: string;
  /** The day in that zone, `2026-11-21`, for which it was sent last. */
  sent_on: string | null;
}

/** What system administrators tell the people of a company and all below it, or everybody (null). */
interface AnnouncementsTable {
  id: Generated<number>;
  type: 'info' | 'warning' | 'maintenance';
  /** HTML, made harmless when it was written. */
  summary: string;
  company_id: number | null;
  audience: 'everybody' | 'administrators';
  starts_at: Millis | null;
  ends_at: Millis | null;
  created_at: Millis;
}

interface AnnouncementDismissalsTable {
  user_id: number;
  announcement_id: number;
  at: Millis;
}

/** A mail that was sent, or was not, and what the mail server said. */
interface MailLogTable {
  id: Generated<number>;
  at: Millis;
  company_id: number;
  email: string;
  subject: string;
  /** waiting: it is tried again · kept: there is no mail server, so it is read in the mailbox of this installation. */
  status: 'sent' | 'bounced' | 'failed' | 'suppressed' | 'waiting' | 'kept';
  error: string | null;
  /** What the mail is about: a kind of server/kernel/mail/texts.json. */
  kind: MailLog['type'];
  /** How often the mail server was asked to take it. */
  tries: number;
  next_try_at: Millis | null;
  /** The mail's text, sealed; only while it waits or is kept. */
  sealed_text: string | null;
  /** The server of a company that carries it; null: the one of the installation. */
  server_id: number | null;
  /** The host of that server as it was called then. */
  server: string | null;
}

/** The tables of notifications, announcements and mail. */
export interface MessageTables {
  notices: NoticesTable;
  notifications: NotificationsTable;
  notification_rules: NotificationRulesTable;
  notification_digests: NotificationDigestsTable;
  mail_log: MailLogTable;
  announcements: AnnouncementsTable;
  announcement_dismissals: AnnouncementDismissalsTable;
}
