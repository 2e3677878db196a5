import type { Generated } from 'kysely';
import type { Flag, JsonText, Millis } from './column-types.ts';

export type JobState = 'queued' | 'running' | 'finished' | 'cancelled';
export type TargetState = 'queued' | 'sent' | 'running' | 'ok' | 'failed' | 'skipped' | 'timed-out' | 'cancelled';

export interface JobsTable {
  id: Generated<number>;
  kind: string;
  input: JsonText;
  /** What it is found by: the command or the names of the form, without secrets. */
  search_text: Generated<string>;
  /** Why it was started, in the words of who did; empty without any. */
  reason: Generated<string>;
  state: JobState;
  total: number;
  /** Targets in each state, kept with every change of a target: `{"queued":3,…}`. */
  counts: JsonText;
  /** Why the job ended early. */
  message: string | null;
  /** Rights are checked again as this user when a target runs; null when the user was removed, which stops the job. */
  created_by: number | null;
  user_name: string;
  on_behalf_of: number | null;
  /** The creator's company. */
  company_id: number;
  /** The path that the creator's company and the companies of all targets have in common: who sees all of it sees the job. */
  reach_path: string;
  /** All targets are of the creator's own company. */
  is_one_company: Flag;
  /** Where the call came from, for the audit rows of work that is done later: address, request number, program. */
  origin: JsonText;
  parent_job_id: number | null;
  idempotency_key: string | null;
  /** The saved query, when it was "all that match", and the count that the user saw. */
  selection: JsonText | null;
  seen_count: number | null;
  deadline_at: Millis;
  cancel_requested_at: Millis | null;
  lease_owner: string | null;
  lease_until: Millis | null;
  created_at: Millis;
  started_at: Millis | null;
  finished_at: Millis | null;
  /** Devices at a time; null when all are sent as fast as they can. */
  wave_size: number | null;
  wave_stop_percent: number | null;
  /** The present wave, from 1; 0 before the first. */
  wave_number: Generated<number>;
  /** How many targets stay queued until the present wave is done. */
  wave_floor: Generated<number>;
  wave_stopped: Generated<Flag>;
  wave_pause_seconds: number | null;
  /** While it waits: when the next wave may begin. */
  wave_resumes_at: Millis | null;
  /** Devices in the first wave; null: as many as in the others. */
  wave_first: number | null;
  /** The next wave waits until somebody lets it begin. */
  wave_asks: Generated<Flag>;
  /** The last wave after which somebody let the job go on. */
  wave_approved: Generated<number>;
  /** Too many failures hold it back until somebody resumes it; without it they end it. */
  wave_holds: Generated<Flag>;
  /** Failures, and targets that were over, when it was resumed after such a stop: they count no more. */
  wave_forgiven: Generated<number>;
  wave_counted: Generated<number>;
  /** Devices that match its query later get their turn too; between two waves they are looked for. */
  joins_newcomers: Generated<Flag>;
  joined_at: Millis | null;
  /** Since then nothing new is sent; null: it goes on. */
  paused_at: Millis | null;
  /** Nothing is sent before; null: at once. */
  starts_at: Millis | null;
  /** Until then devices that are offline keep their place; null: they are skipped when their turn comes. */
  waits_until: Millis | null;
  /** What becomes of devices outside their maintenance window: they wait for it, are left out, or it is done all the same (null). */
  window_rule: 'wait' | 'refuse' | null;
}

export interface JobTargetsTable {
  id: Generated<number>;
  job_id: number;
  device_id: number;
  /** The device's name when the job was made, so that the report stays readable after a removal. */
  device_name: string;
  company_id: number;
  /** Random; the command id on the wire. */
  command_id: string;
  state: TargetState;
  /** A code for why it was skipped or failed. */
  reason: string | null;
  message: string | null;
  code: number | null;
  output: string | null;
  truncated: Flag;
  attempts: number;
  sent_at: Millis | null;
  started_at: Millis | null;
  finished_at: Millis | null;
  deadline_at: Millis | null;
  /** Which of its kind's steps the device is at, from 0. */
  step: Generated<number>;
  /** How many steps there are; 1 for most kinds. */
  steps: Generated<number>;
  /** What the step is called; null for work of one step. */
  step_name: string | null;
  /** How it will end once the steps after a failure are done; null while nothing failed. */
  failed_state: 'failed' | 'timed-out' | null;
  /** What its kind noted of the device when it was sent: how it was before. */
  facts: JsonText | null;
  /** The file that the device sent in its present or last step. */
  file_id: number | null;
  /** The wave that it was sent in, from 1; null before, and without waves. */
  wave: number | null;
  /** Queued: it is not sent before, because its maintenance window opens then; null: nothing to wait for. */
  due_at: Millis | null;
}

/** What a step that is over gave; rows for work of several steps only. */
export interface JobTargetStepsTable {
  id: Generated<number>;
  target_id: number;
  step: number;
  name: string;
  state: 'ok' | 'failed' | 'timed-out';
  code: number | null;
  message: string | null;
  output: string | null;
  truncated: Flag;
  file_id: number | null;
  started_at: Millis | null;
  finished_at: Millis;
}
