import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import { isVisible, requireCompany } from '../../kernel/tenancy.ts';
import { withUniqueName } from '../../kernel/unique-conflicts.ts';
import { assertContent } from './check.ts';
import { contentOf, presentGroup, type GroupContent, type TaskInput } from './present.ts';
import { findTasks, requireGroup } from './repo.ts';

type Input = Omit<FormData['task-groups/new'], 'company_id'>;

/** Only what belongs to a task of its type. */
function dataOf({ type, data }: TaskInput): TaskInput['data'] {
  const { command, acceptable_codes, file_id, target_path, file } = data;
  const parts = {
    command: { command, acceptable_codes: acceptable_codes ?? [] },
    upload_file: { file_id, target_path },
    download_file: { file },
  }[type];
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

/** What was sent as a group holds it: tasks in their order (`order` where it is given), defaults filled in. */
function readContent({ name, tasks, variables = [], success_tag_id = [], failed_tag_id = [] }: Input): GroupContent {
  const sorted = tasks.map((task, index) => ({ task, at: task.order ?? index })).toSorted((a, b) => a.at - b.at);
  return {
    name,
    tasks: sorted.map(({ task: { order: _order, ...task } }) => ({
      ...task,
      data: dataOf(task),
      stop_on_failure: task.stop_on_failure ?? true,
    })),
    variables,
    success_tag_id,
    failed_tag_id,
  };
}

async function insertTasks(
  trx: Trx,
  groupId: number,
  tasks: readonly TaskInput[],
  at: number,
  kept: readonly Row<'tasks'>[],
): Promise<void> {
  await trx.deleteFrom('tasks').where('group_id', '=', groupId).execute();
  const used = new Set<number>();
  for (const [place, { id, name, type, timeout, stop_on_failure, data }] of tasks.entries()) {
    const before = kept.find((row) => row.id === id && !used.has(row.id));
    if (before) used.add(before.id);
    const row = { group_id: groupId, place, name, type, timeout, stop_on_failure: stop_on_failure === false ? 0 : 1 } as const;
    const times = { created_at: before?.created_at ?? at, updated_at: at };
    await trx
      .insertInto('tasks')
      .values({ ...row, ...times, data: JSON.stringify(data), ...(before ? { id: before.id } : {}) })
      .execute();
  }
}

const columnsOf = ({ name, variables, success_tag_id, failed_tag_id }: GroupContent) => ({
  name,
  variables: JSON.stringify(variables),
  success_tag_ids: JSON.stringify(success_tag_id),
  failed_tag_ids: JSON.stringify(failed_tag_id),
});

type Kept = { company_id: number } & GroupContent;

const historyOf = ({ company_id, tasks, variables, ...rest }: Kept) => ({
  company_id,
  ...rest,
  tasks: tasks.map((task) => ({ ...task })),
  variables: variables.map((variable) => ({ ...variable })),
});

/** Makes a group in a company. Throws NOT_FOUND at `company_id`, NAME_TAKEN at `name`, INVALID_FIELD. */
export async function createGroup(ctx: Context, { actor, origin }: Caller, companyId: number, input: Input, id?: number): Promise<number> {
  const at = ctx.clock.now();
  const content = readContent(input);
  return withUniqueName({ name: content.name, source: 'name' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const company = await requireCompany(trx, actor, companyId, 'company_id');
      await assertContent(trx, actor, company.id, content);
      const group = await trx
        .insertInto('task_groups')
        .values({ ...columnsOf(content), company_id: company.id, created_at: at, updated_at: at, ...(id === undefined ? {} : { id }) })
        .returning('id')
        .executeTakeFirstOrThrow();
      await insertTasks(trx, group.id, content.tasks, at, []);
      const entry = { entity: 'task_group', entityId: group.id, entityName: content.name, companyId: company.id };
      const action = id === undefined ? 'task-groups.new' : 'task-groups.restore';
      await writeAudit(trx, { actor, origin, at }, [
        { ...entry, action, before: null, after: historyOf({ company_id: company.id, ...content }) },
      ]);
      return group.id;
    }),
  );
}

/** Changes what is given of a group. Throws NOT_FOUND, NAME_TAKEN at `name`, INVALID_FIELD. */
export async function editGroup(ctx: Context, { actor, origin }: Caller, id: number, input: Partial<Input>): Promise<void> {
  const at = ctx.clock.now();
  await withUniqueName({ name: input.name ?? '', source: 'name' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const group = await requireGroup(trx, actor, id);
      const rows = await findTasks(trx, id);
      const before = contentOf(group, rows);
      const after = readContent({ ...before, ...input });
      await assertContent(trx, actor, group.company_id, after);
      await trx
        .updateTable('task_groups')
        .set({ ...columnsOf(after), updated_at: at })
        .where('id', '=', id)
        .execute();
      if (input.tasks) await insertTasks(trx, id, after.tasks, at, rows);
      const entry = { action: 'task-groups.edit', entity: 'task_group', entityId: id, entityName: after.name, companyId: group.company_id };
      const { company_id } = group;
      await writeAudit(trx, { actor, origin, at }, [
        { ...entry, before: historyOf({ company_id, ...before }), after: historyOf({ company_id, ...after }) },
      ]);
    }),
  );
}

/** Removes a group; runs that have started go on. Throws NOT_FOUND. */
export async function removeGroup(ctx: Context, { actor, origin }: Caller, id: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const group = await requireGroup(trx, actor, id);
    const before = historyOf({ company_id: group.company_id, ...contentOf(group, await findTasks(trx, id)) });
    await trx.deleteFrom('task_groups').where('id', '=', id).execute();
    const entry = { action: 'task-groups.remove', entity: 'task_group', entityId: id, entityName: group.name, companyId: group.company_id };
    await writeAudit(trx, { actor, origin, at }, [{ ...entry, before, after: null }]);
  });
}

/** A group with its tasks. Throws NOT_FOUND. */
export async function getGroup(ctx: Context, actor: Actor, id: number) {
  const group = await requireGroup(ctx.reads, actor, id);
  return presentGroup(group, await findTasks(ctx.reads, id));
}

/** A group with the same content and another name, in the same company. */
export async function copyGroup(ctx: Context, caller: Caller, id: number, name: string): Promise<number> {
  const { company_id, tasks, variables, success_tag_id, failed_tag_id } = await getGroup(ctx, caller.actor, id);
  return createGroup(ctx, caller, company_id, { name, tasks, variables, success_tag_id, failed_tag_id });
}

/** The group that a task is in. Throws NOT_FOUND. */
async function groupOfTask(ctx: Context, actor: Actor, taskId: number) {
  const row = await ctx.reads
    .selectFrom('tasks')
    .innerJoin('task_groups', 'task_groups.id', 'tasks.group_id')
    .select('tasks.group_id')
    .where('tasks.id', '=', taskId)
    .where(isVisible(actor, 'task_groups'))
    .executeTakeFirst();
  if (!row) throw new NotFound({});
  return getGroup(ctx, actor, row.group_id);
}

/** Changes name, place, time limit or the end on failure of one task. Throws NOT_FOUND. */
export async function editTask(
  ctx: Context,
  caller: Caller,
  taskId: number,
  { order, ...change }: { name: string; order: number; stop_on_failure: boolean; timeout: number },
): Promise<void> {
  const group = await groupOfTask(ctx, caller.actor, taskId);
  const others = group.tasks.filter(({ id }) => id !== taskId);
  const own = group.tasks.filter(({ id }) => id === taskId).map((task) => ({ ...task, ...change }));
  await editGroup(ctx, caller, group.id, { tasks: others.toSpliced(order, 0, ...own) });
}

/** Takes a task out of its group. Throws NOT_FOUND, INVALID_FIELD for the last one. */
export async function removeTask(ctx: Context, caller: Caller, taskId: number): Promise<void> {
  const group = await groupOfTask(ctx, caller.actor, taskId);
  if (group.tasks.length === 1) throw new InvalidFields([{ source: 'id', message: 'A group has at least one task: remove the group.' }]);
  await editGroup(ctx, caller, group.id, { tasks: group.tasks.filter(({ id }) => id !== taskId) });
}
