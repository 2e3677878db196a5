import type { Context } from '../../context.ts';
import { openSealed, sealText } from '../../kernel/seal.ts';
import type { Values, Variable } from './fill.ts';

interface Common {
  task_id: number;
  name: string;
  timeout: number;
  stop_on_failure: boolean;
}

/** A task as a run keeps it: the group may change or go while it runs. */
export type RunTask = Common &
  (
    | { type: 'command'; command: string; acceptable_codes: number[] }
    | { type: 'upload_file'; file_id: number; size: number; sha256: string; target_path: string }
    | { type: 'download_file'; file: string }
  );

/** What a run of a task group keeps. */
export interface TaskRunInput {
  group_id: number;
  name: string;
  tasks: [RunTask, ...RunTask[]];
  variables: Variable[];
  /** By name; those named like secrets are masked where people see them. */
  values: Values;
  /** The values of secret variables by name, as sealed JSON; left out without any. */
  secrets?: string;
  success_tag_id: number[];
  failed_tag_id: number[];
}

/** What the values of secret variables in a job's input are sealed for. */
export const TASK_PURPOSE = 'task values';

export type KeyContext = Pick<Context, 'secretKey'>;

export const sealValues = ({ secretKey }: KeyContext, values: Values): string => sealText(secretKey, TASK_PURPOSE, JSON.stringify(values));

/** The values of secret variables by name. */
export function secretsOf({ secretKey }: KeyContext, { secrets }: TaskRunInput): Values {
  return secrets === undefined ? {} : (JSON.parse(openSealed(secretKey, TASK_PURPOSE, secrets)) as Values);
}
