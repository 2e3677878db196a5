import { compileForm } from '../../../schemas/kit/codegen/compile-form.ts';
import type { FormData } from '../../../schemas/_generated/contract.ts';
import { assertFits } from '../../kernel/body-rules.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { bodySchemaOf } from '../../kernel/form-route.ts';
import { loadForm } from '../../kernel/forms.ts';
import type { GroupContent } from './present.ts';

const MARK = 'task-group';

/** A group as text to import elsewhere: without numbers of its own, of tags and of files, which mean nothing there. */
export function exportedGroup({ name, tasks, variables }: GroupContent): string {
  const own = tasks.map(({ id: _id, data: { file_id: _file, ...data }, ...task }) => ({ ...task, data }));
  return `${JSON.stringify({ canopy: MARK, name, tasks: own, variables }, null, 2)}\n`;
}

type Content = FormData['task-groups/edit'];

/** The group in a text that `exportedGroup` made. Throws INVALID_FIELD at `text` for anything else. */
export function readExported(text: string): Content {
  const read = parse(text);
  if (typeof read !== 'object' || read === null || !('canopy' in read) || read.canopy !== MARK)
    throw new InvalidFields([{ source: 'text', message: 'This is no exported list of tasks.' }]);
  const { canopy: _mark, ...content } = read;
  const form = loadForm('task-groups/edit');
  assertFits(compileForm(form, bodySchemaOf(form))(content));
  return content as unknown as Content;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidFields([{ source: 'text', message: 'This is no JSON.' }]);
  }
}
