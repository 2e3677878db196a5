import { fieldsOf } from '../../../schemas/kit/form/form-fields.ts';
import { layoutOf, type LayoutItem } from '../../../schemas/kit/form/form-layout.ts';
import type { FormFile } from '../../../schemas/kit/form/types.ts';

/** Of the fields that exist now, those that are drawn: a group without a member of its own to show is not. */
export function drawnFields(form: FormFile, shown: readonly string[]): ReadonlySet<string> {
  const exist = new Set(shown);
  const drawn = new Set<string>();
  function visit(item: LayoutItem): boolean {
    if (item.kind === 'alert' || !exist.has(item.path)) return false;
    const hasMembers = item.kind === 'field' || item.items.map(visit).includes(true) || isOpen(form, item.path);
    if (hasMembers) drawn.add(item.path);
    return hasMembers;
  }
  const { first, sections } = layoutOf(form);
  for (const item of [...first, ...sections.flatMap(({ items }) => items)]) visit(item);
  return drawn;
}

/** Whether a group can hold more than the members that its schema names. */
function isOpen(form: FormFile, path: string): boolean {
  const { additionalProperties = false, patternProperties, if: condition, dependencies } = fieldsOf(form).get(path)?.schema ?? {};
  return additionalProperties !== false || patternProperties !== undefined || condition !== undefined || dependencies !== undefined;
}
