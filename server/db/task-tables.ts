import type { Generated } from 'kysely';
import type { Flag, JsonText, Millis } from './column-types.ts';

/** A list of tasks that devices run one after another. */
export interface TaskGroupsTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  /** What commands and paths name as `{{name}}`: `[{ name, type, default?, choices?, field? }]`. */
  variables: JsonText;
  /** Tags put on a device after a success, as ids; tags that were removed since are passed over. */
  success_tag_ids: JsonText;
  /** The same after a failure. */
  failed_tag_ids: JsonText;
  created_at: Millis;
  updated_at: Millis;
}

export interface TasksTable {
  id: Generated<number>;
  group_id: number;
  /** From 0. */
  place: number;
  name: string;
  type: 'command' | 'upload_file' | 'download_file';
  /** Seconds. */
  timeout: number;
  stop_on_failure: Flag;
  /** What it does, by type: `{ command, acceptable_codes }`, `{ file_id, target_path }`, `{ file }`. */
  data: JsonText;
  created_at: Millis;
  updated_at: Millis;
}

export interface TaskTables {
  task_groups: TaskGroupsTable;
  tasks: TasksTable;
}
