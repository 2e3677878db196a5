import { sql } from 'kysely';
import type { Task, TaskGroup } from '../../../schemas/_generated/contract.ts';
import type { Db, Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';

const groupColumns: ListColumns = {
  id: sql.ref('task_groups.id'),
  sorts: {
    id: { by: sql.ref('task_groups.id') },
    name: byText('task_groups.name'),
    company_name: byText('companies.name'),
    created_at: { by: sql.ref('task_groups.created_at') },
    updated_at: { by: sql.ref('task_groups.updated_at') },
  },
  filters: {
    company_id: (values) => isOneOf(sql.ref('task_groups.company_id'), integers(values)),
    name: (values) => isOneOf(sql.ref('task_groups.name'), values),
  },
  search: (text) => containsText([sql.ref('task_groups.name')], text),
};

const taskColumns: ListColumns = {
  id: sql.ref('tasks.id'),
  sorts: {
    id: { by: sql.ref('tasks.id') },
    order: { by: sql.ref('tasks.place') },
    name: byText('tasks.name'),
    created_at: { by: sql.ref('tasks.created_at') },
  },
  filters: {
    company_id: (values) => isOneOf(sql.ref('task_groups.company_id'), integers(values)),
    group_id: (values) => isOneOf(sql.ref('tasks.group_id'), integers(values)),
    type: (values) => isOneOf(sql.ref('tasks.type'), values),
  },
};

/** One page of the task groups that the actor sees. */
export async function listGroups(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: TaskGroup[]; total: number }> {
  const base = db
    .selectFrom('task_groups')
    .innerJoin('companies', 'companies.id', 'task_groups.company_id')
    .select(['task_groups.id', 'task_groups.name', 'task_groups.company_id', 'companies.name as company_name'])
    .select(['task_groups.created_at', 'task_groups.updated_at'])
    .select((eb) =>
      eb
        .selectFrom('tasks')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('tasks.group_id', '=', 'task_groups.id')
        .$asScalar()
        .as('tasks_count'),
    )
    .where(isVisible(actor, 'task_groups'));
  const { rows, total } = await applyListQuery(base, query, groupColumns);
  return {
    rows: rows.map((row) => ({
      ...row,
      tasks_count: Number(row.tasks_count),
      created_at: wireTime(row.created_at),
      updated_at: wireTime(row.updated_at),
    })),
    total,
  };
}

/** One page of the tasks of all groups that the actor sees. */
export async function listTasks(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: Task[]; total: number }> {
  const base = db
    .selectFrom('tasks')
    .innerJoin('task_groups', 'task_groups.id', 'tasks.group_id')
    .selectAll('tasks')
    .select(['task_groups.name as group_name', 'task_groups.company_id'])
    .where(isVisible(actor, 'task_groups'));
  const { rows, total } = await applyListQuery(base, query, taskColumns);
  return {
    rows: rows.map(({ place, ...row }) => ({
      ...row,
      order: place,
      data: JSON.parse(row.data),
      stop_on_failure: row.stop_on_failure === 1,
      created_at: wireTime(row.created_at),
      updated_at: wireTime(row.updated_at),
    })),
    total,
  };
}

export type GroupRow = Row<'task_groups'> & { company_name: string; path: string };

/** A group that the actor sees. Throws NOT_FOUND at `source`. */
export async function requireGroup(db: Db, actor: Actor, id: number, source?: string): Promise<GroupRow> {
  const row = await db
    .selectFrom('task_groups')
    .innerJoin('companies', 'companies.id', 'task_groups.company_id')
    .selectAll('task_groups')
    .select(['companies.name as company_name', 'companies.path'])
    .where('task_groups.id', '=', id)
    .where(isVisible(actor, 'task_groups'))
    .executeTakeFirst();
  if (!row) throw new NotFound({}, source === undefined ? {} : { source });
  return row;
}

/** The tasks of a group in their order; the caller has shown the group to the actor. */
export function findTasks(db: Db, groupId: number): Promise<Row<'tasks'>[]> {
  return db.selectFrom('tasks').selectAll().where('group_id', '=', groupId).orderBy('place').orderBy('id').execute();
}
