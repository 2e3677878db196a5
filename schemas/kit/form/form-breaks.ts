import { fieldsOf, type FormField } from './form-fields.ts';
import type { FormFile, JsonSchema } from './types.ts';

/** A field for which bodies that the former version took may be refused, and why. */
export interface FormBreak {
  field: string;
  what: 'removed' | 'required' | 'type' | 'choices' | 'limits' | 'permission';
}

const LOWER = ['minLength', 'minimum', 'minItems'] as const;
const UPPER = ['maxLength', 'maximum', 'maxItems'] as const;

function isNarrower(before: JsonSchema, after: JsonSchema): boolean {
  return (
    LOWER.some((key) => (after[key] ?? -Infinity) > (before[key] ?? -Infinity)) ||
    UPPER.some((key) => (after[key] ?? Infinity) < (before[key] ?? Infinity)) ||
    (after.pattern !== undefined && after.pattern !== before.pattern) ||
    (after.format !== undefined && after.format !== before.format)
  );
}

function breakOf(before: FormField | undefined, after: FormField): FormBreak['what'] | undefined {
  if (after.isRequired && !before?.isRequired) return 'required';
  if (!before) return undefined;
  if (after.rule.permission !== undefined && after.rule.permission !== before.rule.permission) return 'permission';
  if (after.schema.type !== before.schema.type) return 'type';
  const choices = after.schema.enum;
  if (choices && !(before.schema.enum?.every((choice) => choices.includes(choice)) ?? false)) return 'choices';
  return isNarrower(before.schema, after.schema) ? 'limits' : undefined;
}

/**
 * What of a new text of a form refuses bodies that the former one took, field by field in the former order, new fields last. A field that was
 * marked as `deprecated` may go: its senders were warned.
 */
export function breaksOf(before: FormFile, after: FormFile): FormBreak[] {
  const former = fieldsOf(before);
  const next = fieldsOf(after);
  const kept = [...former.values()].flatMap((field): FormBreak[] => {
    const now = next.get(field.path);
    const what = now ? breakOf(field, now) : field.rule.deprecated === undefined ? 'removed' : undefined;
    return what ? [{ field: field.path, what }] : [];
  });
  const added = [...next.values()].filter(({ path }) => !former.has(path));
  return [...kept, ...added.flatMap((field): FormBreak[] => (breakOf(undefined, field) ? [{ field: field.path, what: 'required' }] : []))];
}
