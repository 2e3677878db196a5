import type { Generated } from 'kysely';
import type { Flag, JsonText, Millis } from './column-types.ts';

export type FileType =
  'config' | 'firmware' | 'global_firmware' | 'device_task_manager_file' | 'custom_file' | 'eventslog' | 'troubleshoot' | 'periodic_backup';

/** What is known of a file; its bytes lie in the file store under `content_key`. */
export interface FilesTable {
  id: Generated<number>;
  /** null: of the whole installation. */
  company_id: number | null;
  /** The device that it came from. */
  device_id: number | null;
  type: FileType;
  name: string;
  description: string;
  /** Bytes. */
  size: number;
  /** Hex. */
  sha256: string;
  content_key: string;
  /** Read from the name of a firmware. */
  device_model: string | null;
  version: string | null;
  uploaded_by: number | null;
  created_at: Millis;
  updated_at: Millis;
  /** An image that "the newest stable one" may mean. */
  is_stable: Generated<Flag>;
  /** As minisign or usign wrote it. */
  signature: Generated<string | null>;
  /** The rule that made it; null for all others, and once the rule is gone. */
  backup_rule_id: Generated<number | null>;
}

/** When a task list runs by itself, and where. */
export interface TaskPlansTable {
  id: Generated<number>;
  company_id: number;
  group_id: number;
  name: string;
  /** `company`: all devices of the company and below it. */
  applies_to: 'company' | 'device' | 'tag';
  /** Ids of devices or tags. */
  apply_list: JsonText;
  period: 'hours' | 'day' | 'week' | 'month';
  day: number | null;
  time: string;
  timezone: string;
  every_hours: number | null;
  /** Values of variables: `{ name, value }[]`. */
  given: JsonText;
  is_active: Flag;
  created_by: number | null;
  actor_company_id: number;
  user_name: string;
  created_at: Millis;
  updated_at: Millis;
  next_at: Millis | null;
  last_at: Generated<Millis | null>;
  last_job_id: Generated<number | null>;
}

/** What firmware of a company and those below it has to be signed with. */
export interface SigningKeysTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  /** 16 hex digits. */
  key_id: string;
  /** Base64 of 32 bytes. */
  public_key: string;
  user_name: string;
  created_at: Millis;
}

/** When which devices send a backup, and how many are kept. */
export interface BackupRulesTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  /** `company`: all devices of the company and below it. */
  applies_to: 'company' | 'device' | 'tag';
  /** Ids of devices or tags; empty for a company. */
  apply_list: JsonText;
  period: 'day' | 'week' | 'month';
  /** Of the week 1 (Monday) to 7, of the month 1 to 28; null for each day. */
  day: number | null;
  /** `03:30`, in the time zone. */
  time: string;
  timezone: string;
  /** Backups of each device that stay. */
  keep: number;
  is_active: Flag;
  /** With whose rights it runs; null once that person is gone, and it runs no more. */
  created_by: number | null;
  /** As a member of which company that person set it up. */
  actor_company_id: number;
  user_name: string;
  created_at: Millis;
  updated_at: Millis;
  next_at: Millis | null;
  last_at: Millis | null;
  last_job_id: number | null;
}
