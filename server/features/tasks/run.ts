import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { findFile, textOf } from './check.ts';
import { faultOf, namesIn, type Values } from './fill.ts';
import { sealValues, type RunTask, type TaskRunInput } from './run-input.ts';
import { contentOf, type GroupContent, type TaskInput } from './present.ts';
import { findTasks, requireGroup } from './repo.ts';

async function runTaskOf(db: Db, companyId: number, task: TaskInput): Promise<RunTask> {
  const { id = 0, name, timeout, stop_on_failure = true, type, data } = task;
  const common = { task_id: id, name, timeout, stop_on_failure };
  if (type === 'command') return { ...common, type, command: textOf(task), acceptable_codes: data.acceptable_codes ?? [] };
  if (type === 'download_file') return { ...common, type, file: textOf(task) };
  const file = await findFile(db, companyId, data.file_id ?? 0);
  if (!file) throw new InvalidFields([{ source: 'group_id', message: `The file of the task "${name}" was removed.` }]);
  return { ...common, type, file_id: file.id, size: file.size, sha256: file.sha256, target_path: textOf(task) };
}

/** The values of a run: those given, checked. Throws INVALID_FIELD at `values` for one that is missing, does not fit or is unknown. */
function checkValues({ tasks, variables }: GroupContent, given: Values, source: string, isKept: boolean): Values {
  const used = new Set(tasks.flatMap((task) => namesIn(textOf(task))));
  const faults = variables.flatMap((variable) => {
    const { name, type, default: usual } = variable;
    if (type === 'device' || !used.has(name)) return [];
    if (type === 'secret' && isKept) return [{ source, message: `"${name}" is a secret, which is asked for with each run and not kept.` }];
    const value = Object.hasOwn(given, name) ? given[name] : usual;
    if (value === undefined) return [{ source, message: `Enter a value for "${name}".` }];
    const fault = faultOf(variable, value);
    return fault === undefined ? [] : [{ source, message: `${name}: ${fault}` }];
  });
  const unknown = Object.keys(given).find((name) => !variables.some((variable) => variable.name === name && variable.type !== 'device'));
  if (unknown !== undefined) faults.push({ source, message: `This list asks for no value named "${unknown}".` });
  if (faults.length > 0) throw new InvalidFields(faults);
  return given;
}

/** The tags among these that the actor sees now. */
async function visibleTags(db: Db, actor: Actor, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('tags').select('tags.id').where('tags.id', 'in', ids).where(isVisible(actor, 'tags')).execute();
  return rows.map(({ id }) => id);
}

/**
 * What a job needs to run a group with these values: all of it, because the group may change or go while it runs. Throws NOT_FOUND at `group_id`,
 * INVALID_FIELD. `isKept`: the values stay with a plan, which a secret may not.
 */
export async function prepareRun(
  ctx: Context,
  actor: Actor,
  groupId: number,
  given: Values,
  places: { group?: string; values: string },
  { isKept = false } = {},
): Promise<TaskRunInput> {
  const group = await requireGroup(ctx.reads, actor, groupId, places.group);
  const content = contentOf(group, await findTasks(ctx.reads, groupId));
  const values = checkValues(content, given, places.values, isKept);
  const secret = content.variables.filter(({ name, type }) => type === 'secret' && Object.hasOwn(values, name)).map(({ name }) => name);
  const split = Map.groupBy(Object.entries(values), ([name]) => secret.includes(name));
  const tasks: RunTask[] = [];
  for (const task of content.tasks) tasks.push(await runTaskOf(ctx.reads, group.company_id, task));
  const [first, ...rest] = tasks;
  if (!first) throw new NotFound({});
  return {
    group_id: group.id,
    name: group.name,
    tasks: [first, ...rest],
    variables: content.variables,
    values: Object.fromEntries(split.get(false) ?? []),
    ...(secret.length === 0 ? {} : { secrets: sealValues(ctx, Object.fromEntries(split.get(true) ?? [])) }),
    success_tag_id: await visibleTags(ctx.reads, actor, content.success_tag_id),
    failed_tag_id: await visibleTags(ctx.reads, actor, content.failed_tag_id),
  };
}
