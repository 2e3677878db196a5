import type { Row, Trx } from '../../db/schema.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { NotFound } from '../../kernel/errors.ts';
import { putTags } from '../../domain/tags/put-tags.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { prepareRun } from './run.ts';
import type { CommandDevice, DeviceStep, EndedTarget, JobKind } from '../../domain/jobs/types.ts';
import { fillCommand, fillPath } from './fill.ts';
import { secretsOf, type KeyContext, type RunTask, type TaskRunInput } from './run-input.ts';

/** Also what a tag's action is called. */
export const TASK_KIND = 'execute_tasks_group';

/** The last segment of a path: the name of the file that comes of it. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A command of which 0 is no success where the list of codes leaves it out. */
function withCodes(command: string, codes: readonly number[]): string {
  if (codes.length === 0 || codes.includes(0)) return command;
  let other = 1;
  while (codes.includes(other)) other += 1;
  return `(\n${command}\n)\ncanopy_code=$?\n[ "$canopy_code" != 0 ] || canopy_code=${other}\nexit "$canopy_code"`;
}

function stepOf(task: RunTask, { variables, values }: TaskRunInput, device: CommandDevice): DeviceStep | undefined {
  const { name, timeout, stop_on_failure } = task;
  const common = { name, timeoutSeconds: timeout, ...(stop_on_failure ? {} : { isOptional: true }) };
  if (task.type === 'command') {
    const body = withCodes(fillCommand(task.command, variables, values, device), task.acceptable_codes);
    return { ...common, verb: 'run', body, acceptedCodes: task.acceptable_codes };
  }
  const path = fillPath(task.type === 'upload_file' ? task.target_path : task.file, variables, values, device);
  if (path === undefined) return undefined;
  if (task.type === 'download_file')
    return { ...common, verb: 'send', body: `path=${path}`, receives: { type: 'custom_file', name: nameOf(path) } };
  return { ...common, verb: 'fetch', body: `path=${path}\nsize=${task.size}\nsha256=${task.sha256}`, fileId: task.file_id };
}

function stepsOf(input: TaskRunInput, device: CommandDevice): [DeviceStep, ...DeviceStep[]] | undefined {
  const [first, ...rest] = input.tasks.map((task) => stepOf(task, input, device));
  if (!first || rest.includes(undefined)) return undefined;
  return [first, ...rest.filter((step) => step !== undefined)];
}

/** A device renamed in the middle of a run may leave a path without a name: that step fails on the device, the others stay in their places. */
const unusable: DeviceStep = { name: '', verb: 'run', timeoutSeconds: 1, body: 'echo "no usable path" >&2; exit 1' };

async function ended(trx: Trx, call: { ctx: Context; job: Row<'jobs'>; targets: readonly EndedTarget[] }): Promise<void> {
  const input: TaskRunInput = JSON.parse(call.job.input);
  const idsOf = (isGood: boolean) => call.targets.filter(({ state }) => (state === 'ok') === isGood).map(({ device_id }) => device_id);
  const { ctx, job } = call;
  const actor = { userId: job.created_by ?? 0, name: job.user_name, onBehalfOf: job.on_behalf_of, tokenName: null };
  const by = { actor: job.created_by === null ? null : actor, origin: JSON.parse(job.origin), at: ctx.clock.now() };
  await putTags(ctx, trx, by, idsOf(true), input.success_tag_id);
  await putTags(ctx, trx, by, idsOf(false), input.failed_tag_id);
}

/** What a tag keeps of a group: the tasks are those of the moment when it runs. Throws NOT_FOUND at `source`. */
async function chosenGroup(ctx: Context, actor: Actor, id: number, source: string): Promise<{ group_id: number; group_name: string }> {
  const group = await ctx.reads
    .selectFrom('task_groups')
    .select('name')
    .where('id', '=', id)
    .where(isVisible(actor, 'task_groups'))
    .executeTakeFirst();
  if (!group) throw new NotFound({}, { source });
  return { group_id: id, group_name: group.name };
}

/** The tasks of a group, one after another, on each device. A device for which a path cannot be made is skipped. */
export const taskKind = (keys: KeyContext): JobKind<TaskRunInput> => ({
  name: TASK_KIND,
  permission: 'execute_device_tasks',
  prepare: async (ctx, actor, input) =>
    'tasks' in input
      ? input
      : prepareRun(ctx, actor, Number(Reflect.get(input, 'group_id')), {}, { group: 'group_id', values: 'group_id' }),
  inputFrom: ({ ctx, actor, id, source }) => chosenGroup(ctx, actor, id, source),
  skipReason: (device, input) => (stepsOf(input, device) ? undefined : 'UNSUPPORTED'),
  hides: (input) => Object.values(secretsOf(keys, input)),
  runs: {
    on: 'device',
    steps: (sealed, device) => {
      const input = { ...sealed, values: { ...sealed.values, ...secretsOf(keys, sealed) } };
      const [first, ...rest] = input.tasks;
      const made = (task: RunTask): DeviceStep => stepOf(task, input, device) ?? { ...unusable, name: task.name };
      return [made(first), ...rest.map(made)];
    },
    ended,
  },
});
