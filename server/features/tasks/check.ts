import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { faultOf, isPath, namesIn } from './fill.ts';
import type { GroupContent, TaskInput } from './present.ts';

interface Fault {
  source: string;
  message: string;
}

const TEXT_OF = {
  command: { field: 'command', text: ({ data }: TaskInput) => data.command },
  upload_file: { field: 'target_path', text: ({ data }: TaskInput) => data.target_path },
  download_file: { field: 'file', text: ({ data }: TaskInput) => data.file },
} as const;

/** The command or path of a task. */
export const textOf = (task: TaskInput): string => TEXT_OF[task.type].text(task) ?? '';

function faultsOfTask(task: TaskInput, index: number, { variables }: GroupContent): Fault[] {
  const known = new Set(variables.map(({ name }) => name));
  const secret = new Set(variables.filter(({ type }) => type === 'secret').map(({ name }) => name));
  const { field } = TEXT_OF[task.type];
  const text = textOf(task);
  const source = `tasks.${index}.data.${field}`;
  if (text === '') return [{ source, message: task.type === 'command' ? 'Enter a command.' : 'Enter a path.' }];
  const faults: Fault[] = [];
  if (text.includes('\0')) faults.push({ source, message: 'A command cannot hold a NUL.' });
  if (task.type !== 'command' && !isPath(text))
    faults.push({ source, message: 'Enter the whole path of a file: it begins with a slash and has no ".." in it.' });
  const unknown = namesIn(text).find((name) => !known.has(name));
  if (unknown !== undefined) faults.push({ source, message: `There is no variable named "${unknown}".` });
  if (task.type !== 'command' && namesIn(text).some((name) => secret.has(name)))
    faults.push({ source, message: 'A secret can be used in a command only: paths are shown in logs.' });
  if (task.type === 'upload_file' && task.data.file_id === undefined)
    faults.push({ source: `tasks.${index}.data.file_id`, message: 'Choose a file.' });
  return faults;
}

function faultsOfVariables({ variables }: GroupContent): Fault[] {
  return variables.flatMap((variable, index): Fault[] => {
    const source = `variables.${index}`;
    if (variables.findIndex(({ name }) => name === variable.name) !== index)
      return [{ source: `${source}.name`, message: 'This name is used twice.' }];
    if (variable.type === 'choice' && !variable.choices?.length) return [{ source: `${source}.choices`, message: 'Enter the choices.' }];
    if (variable.type === 'secret' && variable.default)
      return [{ source: `${source}.default`, message: 'A secret is asked for with each run; it has no default.' }];
    const fault = variable.default && variable.type !== 'device' ? faultOf(variable, variable.default) : undefined;
    return fault ? [{ source: `${source}.default`, message: fault }] : [];
  });
}

/** Throws NOT_FOUND for a tag that the actor does not see, at its place. */
async function requireTags(db: Db, actor: Actor, ids: readonly number[], source: string): Promise<void> {
  if (ids.length === 0) return;
  const rows = await db.selectFrom('tags').select('tags.id').where('tags.id', 'in', ids).where(isVisible(actor, 'tags')).execute();
  const missing = ids.findIndex((id) => !rows.some((row) => row.id === id));
  if (missing !== -1) throw new NotFound({}, { source: `${source}.${missing}` });
}

/** Files of the group's company, or of the whole installation: people who see the group see them. */
async function requireFiles(db: Db, companyId: number, tasks: readonly TaskInput[]): Promise<void> {
  for (const [index, { type, data }] of tasks.entries()) {
    if (type !== 'upload_file' || data.file_id === undefined) continue;
    if (!(await findFile(db, companyId, data.file_id))) throw new NotFound({}, { source: `tasks.${index}.data.file_id` });
  }
}

/** A file that tasks of this company's groups may put on devices. The caller has shown the company to the actor. */
export function findFile(db: Db, companyId: number, id: number) {
  return db
    .selectFrom('files')
    .select(['id', 'size', 'sha256'])
    .where('id', '=', id)
    .where((eb) => eb.or([eb('company_id', '=', companyId), eb('company_id', 'is', null)]))
    .executeTakeFirst();
}

/** Throws INVALID_FIELD for what a group cannot hold, NOT_FOUND for tags and files that are not the actor's to use. */
export async function assertContent(db: Db, actor: Actor, companyId: number, content: GroupContent): Promise<void> {
  const faults = [...faultsOfVariables(content), ...content.tasks.flatMap((task, index) => faultsOfTask(task, index, content))];
  if (faults.length > 0) throw new InvalidFields(faults);
  await requireTags(db, actor, content.success_tag_id, 'success_tag_id');
  await requireTags(db, actor, content.failed_tag_id, 'failed_tag_id');
  await requireFiles(db, companyId, content.tasks);
}
