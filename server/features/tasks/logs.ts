import { sql, type RawBuilder } from 'kysely';
import type { TaskGroupLog, TaskLog } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, byText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import { isJobVisible } from '../../kernel/job-scope.ts';
import { maskSecrets } from '../../domain/jobs/mask-secrets.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { TASK_KIND } from './kind.ts';
import type { RunTask, TaskRunInput } from './run-input.ts';

const status = sql<TaskGroupLog['status']>`case when job_targets.state in ('queued', 'sent', 'running') then 'processing'
  when job_targets.state = 'ok' then 'completed' else 'failed' end`;

const groupColumns = (groupId: RawBuilder<number | null>): ListColumns => ({
  id: sql.ref('job_targets.id'),
  sorts: {
    id: { by: sql.ref('job_targets.id') },
    device_name: byText('job_targets.device_name'),
    // Targets are numbered in the order of time.
    created_at: { by: sql.ref('job_targets.id') },
  },
  filters: {
    device_id: (values) => isOneOf(sql.ref('job_targets.device_id'), integers(values)),
    group_id: (values) => isOneOf(groupId, integers(values)),
    status: (values) => isOneOf(status, values),
  },
});

/** One page of the runs of task groups, one for each device; only where the actor sees the job and the device's company. */
export async function listGroupLogs(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: TaskGroupLog[]; total: number }> {
  const base = ctx.reads
    .selectFrom('job_targets')
    .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
    .select(['job_targets.id', 'job_targets.device_id', 'job_targets.device_name', 'job_targets.job_id', 'job_targets.finished_at'])
    .select(['jobs.created_at', 'jobs.input', status.as('status')])
    .where('jobs.kind', '=', TASK_KIND)
    .where(isJobVisible(actor))
    .where(isVisible(actor, 'job_targets'));
  const groupId = ctx.database.tools.jsonNumber(sql.ref('jobs.input'), 'group_id');
  const { rows, total } = await applyListQuery(base, query, groupColumns(groupId));
  return {
    rows: rows.map(({ input, created_at, finished_at, ...row }) => {
      const { name, group_id }: TaskRunInput = JSON.parse(input);
      return { ...row, name, group_id, created_at: wireTime(created_at), finished_at: wireTime(finished_at) };
    }),
    total,
  };
}

/** What is shown of a task as it ran. */
function dataOf({
  task_id: _task,
  name: _name,
  type: _type,
  timeout: _timeout,
  stop_on_failure: _stop,
  ...data
}: RunTask): TaskLog['data'] {
  const masked = maskSecrets(data);
  return typeof masked === 'object' && masked !== null && !Array.isArray(masked) ? masked : {};
}

/** One page of what tasks gave; only where the actor sees the job and the device's company. */
export async function listTaskLogs(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: TaskLog[]; total: number }> {
  // Work of one step is kept in its target. Numbers of steps are even, those of targets odd.
  const done = sql<{
    id: number;
    target_id: number;
    step: number;
    state: string;
    code: number | null;
    message: string | null;
    output: string | null;
    file_id: number | null;
    finished_at: number;
  }>`(select job_target_steps.id * 2 as id, target_id, step, state, code, message, output, file_id, finished_at from job_target_steps
    union all select id * 2 + 1, id, 0, state, code, message, output, file_id, finished_at from job_targets
      where steps = 1 and state in ('ok', 'failed', 'timed-out'))`;
  const input = ctx.database.tools.kind === 'postgres' ? sql`(jobs.input::jsonb)` : sql`jobs.input`;
  const type = sql`(${input} -> 'tasks' -> done.step ->> 'type')`;
  const columns: ListColumns = {
    id: sql.ref('done.id'),
    sorts: { id: { by: sql.ref('done.id') } },
    filters: {
      type: (values) => isOneOf(type, values),
      group_log_id: (values) => isOneOf(sql.ref('done.target_id'), integers(values)),
    },
  };
  const base = ctx.reads
    .selectFrom(done.as('done'))
    .innerJoin('job_targets', 'job_targets.id', 'done.target_id')
    .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
    .select(['done.id', 'done.target_id', 'done.step', 'done.state', 'done.code', 'done.message', 'done.output', 'done.file_id'])
    .select(['done.finished_at', 'jobs.input', 'job_targets.device_name'])
    .where('jobs.kind', '=', TASK_KIND)
    .where(isJobVisible(actor))
    .where(isVisible(actor, 'job_targets'));
  const { rows, total } = await applyListQuery(base, query, columns);
  return {
    rows: rows.flatMap((row) => {
      const run: TaskRunInput = JSON.parse(row.input);
      const task = run.tasks[row.step];
      if (!task) return [];
      const { state, code, message, output, file_id } = row;
      return [
        {
          id: row.id,
          group_log_id: row.target_id,
          group_log_name: run.name,
          device_name: row.device_name,
          type: task.type,
          name: task.name,
          data: dataOf(task),
          result: { state, code, message, output, file_id },
          created_at: wireTime(row.finished_at),
        },
      ];
    }),
    total,
  };
}
