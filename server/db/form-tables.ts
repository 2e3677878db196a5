import type { Generated } from 'kysely';
import type { Millis } from './column-types.ts';

/** Each text that an added form had; the newest one of a form is the one in use. */
export interface FormVersionsTable {
  /** `<room>/<name>`. */
  form_id: string;
  /** From 1, by form. */
  number: number;
  text: string;
  /** Of the text, hexadecimal. */
  sha256: string;
  /** Who saved it; null when the file was changed in the folder. */
  user_id: number | null;
  user_name: string;
  note: string;
  at: Millis;
}

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

/** A call of a webhook: made by a form, tried until it worked or too often. */
export interface WebhookDeliveriesTable {
  id: Generated<number>;
  form_id: string;
  /** The name of the setting. */
  target: string;
  path: string;
  /** The body that is sent, sealed: it holds what people entered. */
  sealed_body: string;
  state: DeliveryState;
  attempts: number;
  /** When it is tried next; a process that tries puts it off first. */
  next_at: Millis;
  user_id: number | null;
  user_name: string;
  created_at: Millis;
  finished_at: Millis | null;
  /** Of an action of an automation: its entry in `automation_logs`. */
  log_id: number | null;
  /** Which of the entry's actions it is, from 0. */
  log_action: number | null;
}

export interface WebhookAttemptsTable {
  id: Generated<number>;
  delivery_id: number;
  at: Millis;
  /** HTTP status of the answer; null when there was none. */
  status: number | null;
  /** Why there was none. */
  reason: string | null;
  duration_ms: number;
}
