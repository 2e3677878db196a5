import type { TagRun } from '../../../schemas/_generated/contract.ts';
import { maskedInput } from '../jobs/mask-secrets.ts';

export type ActionName = TagRun['action_name'];

/** The kinds of jobs behind what a tag may do, by the names that the public API has for it. None of them changes tags. */
export const KIND_OF: Record<ActionName, string> = {
  run: 'run',
  reboot: 'reboot',
  refresh: 'refresh',
  firmware_upload: 'update_firmware',
  config_upload: 'upload_backup',
  execute_tasks_group: 'execute_tasks_group',
  apply_template: 'apply_template',
};

const NAME_OF = new Map(Object.entries(KIND_OF).map(([name, kind]) => [kind, name]));

/** The name of an action by the kind of its job. */
export function actionNameOf(kind: string): ActionName {
  // The routes that add actions take these kinds only.
  return (NAME_OF.get(kind) ?? kind) as ActionName;
}

/** What an action works with: a command by its text, a file or a list of tasks by its number and name. */
export function sourceOf(input: string): { source_id: number | null; source_name: string | null } {
  const {
    command,
    source,
    group_id: group,
    group_name: groupName,
    template_id: template,
    template_name: templateName,
  } = maskedInput(input);
  if (typeof command === 'string') return { source_id: null, source_name: command };
  if (typeof template === 'number') return { source_id: template, source_name: typeof templateName === 'string' ? templateName : null };
  if (typeof group === 'number') return { source_id: group, source_name: typeof groupName === 'string' ? groupName : null };
  const { id, name }: { id?: unknown; name?: unknown } = Object(source);
  return { source_id: typeof id === 'number' ? id : null, source_name: typeof name === 'string' ? name : null };
}
