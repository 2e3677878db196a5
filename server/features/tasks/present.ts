import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Row } from '../../db/schema.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { Variable } from './fill.ts';
import type { GroupRow } from './repo.ts';

export type TaskInput = FormData['task-groups/new']['tasks'][number];

/** What a group holds, as its form and its history have it. */
export interface GroupContent {
  name: string;
  tasks: TaskInput[];
  variables: Variable[];
  success_tag_id: number[];
  failed_tag_id: number[];
}

/** The content of a group from its rows. */
export function contentOf(group: Row<'task_groups'>, tasks: readonly Row<'tasks'>[]): GroupContent {
  return {
    name: group.name,
    tasks: tasks.map(({ id, name, type, data, timeout, stop_on_failure }) => ({
      id,
      name,
      type,
      data: JSON.parse(data),
      timeout,
      stop_on_failure: stop_on_failure === 1,
    })),
    variables: JSON.parse(group.variables),
    success_tag_id: JSON.parse(group.success_tag_ids),
    failed_tag_id: JSON.parse(group.failed_tag_ids),
  };
}

/** A group with its content, as the wire shows it. */
export function presentGroup(row: GroupRow, tasks: readonly Row<'tasks'>[]) {
  const { id, company_id, company_name } = row;
  return {
    id,
    company_id,
    company_name,
    ...contentOf(row, tasks),
    tasks_count: tasks.length,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}
