import type { Generated } from 'kysely';
import type { JsonText, Millis } from './column-types.ts';

/** What is done to a device when a tag is put on it: a job of this kind. */
export interface TagActionsTable {
  id: Generated<number>;
  tag_id: number;
  kind: string;
  input: JsonText;
  /** Whose rights count when it runs; null when the user was removed: it then does not run. */
  created_by: number | null;
  /** The company in which that person acted. */
  company_id: number;
  user_name: string;
  created_at: Millis;
}

/** One action for one device, as it was when the tag was put on. waiting → starting → started | refused. */
export interface TagRunsTable {
  id: Generated<number>;
  tag_id: number;
  device_id: number;
  action_id: number;
  kind: string;
  input: JsonText;
  user_id: number | null;
  company_id: number;
  user_name: string;
  state: 'waiting' | 'starting' | 'started' | 'refused';
  reason: 'NO_RIGHT' | 'ALREADY_RUNNING' | null;
  /** Those that are started by one job; also what makes the job the same one after a crash. */
  batch: string | null;
  job_id: number | null;
  created_at: Millis;
}

/** Which devices carry a tag, as a filter of the device list that is asked again and again. */
export interface TagRulesTable {
  tag_id: number;
  query: JsonText;
  /** As whom the devices are looked for; null when the user was removed: the tag then stays where it is. */
  created_by: number | null;
  actor_company_id: number;
  user_name: string;
  checked_at: Millis | null;
  next_at: Millis;
}
