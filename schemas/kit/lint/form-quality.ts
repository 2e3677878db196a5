import { fieldsOf, valueAt, type FormField } from '../form/form-fields.ts';
import { textsOfForm } from '../form/text-keys.ts';
import type { FormFile } from '../form/types.ts';

export type QualityLevel = 'bronze' | 'silver' | 'gold' | 'platinum';
export type QualityCheck = 'description' | 'examples' | 'languages' | 'hints' | 'version' | 'success' | 'bounds';

/** How good a form is that the linter has nothing to say about (docs/forms/quality.md, docs/checks.md G9). */
export interface FormQuality {
  level: QualityLevel;
  /** The level above; `null` at the top. */
  next: QualityLevel | null;
  /** What the level above asks for and the form has not. */
  missing: QualityCheck[];
}

const OTHER_LANGUAGES = ['nb', 'ja', 'uk'] as const;

/** What nobody writes into an example: the content of a file, and the number of a device that only one fleet has. */
const WITHOUT_EXAMPLE = new Set(['file', 'device-select', 'lookup', 'hidden']);

const widgetOf = ({ ui }: FormField): string => ui['ui:widget'] ?? 'text';

const CHECKS: Record<QualityCheck, (form: FormFile, fields: readonly FormField[]) => boolean> = {
  description: (form) => form.description !== undefined,
  examples: (form, fields) =>
    fields.every(
      (field) => WITHOUT_EXAMPLE.has(widgetOf(field)) || form.examples.some((example) => valueAt(example, field.path) !== undefined),
    ),
  languages: (form) =>
    textsOfForm(form).every(({ text }) => typeof text === 'string' || OTHER_LANGUAGES.every((language) => text[language] !== undefined)),
  hints: (_form, fields) =>
    fields.every(
      ({ schema, ui }) =>
        (schema.pattern === undefined && ui['ui:mask'] === undefined) ||
        ui['ui:hint'] !== undefined ||
        ui['ui:subtext'] !== undefined ||
        ui['ui:placeholder'] !== undefined,
    ),
  version: (form) => form.version !== undefined,
  success: (form) => form.submit.success.message !== undefined || form.submit.success.then === 'job',
  bounds: (_form, fields) =>
    fields.every((field) => {
      const { type, minimum, maximum, enum: values } = field.schema;
      const isFree = (type === 'integer' || type === 'number') && values === undefined && !WITHOUT_EXAMPLE.has(widgetOf(field));
      return !isFree || (minimum !== undefined && maximum !== undefined);
    }),
};

/** What each level asks for on top of the ones below it, lowest first. */
const LEVELS: readonly { level: QualityLevel; checks: readonly QualityCheck[] }[] = [
  { level: 'silver', checks: ['description', 'examples'] },
  { level: 'gold', checks: ['languages', 'hints'] },
  { level: 'platinum', checks: ['version', 'success', 'bounds'] },
];

/** The level of a form that is right. Pure. */
export function qualityOf(form: FormFile): FormQuality {
  const fields = [...fieldsOf(form).values()];
  let level: QualityLevel = 'bronze';
  for (const { level: next, checks } of LEVELS) {
    const missing = checks.filter((check) => !CHECKS[check](form, fields));
    if (missing.length > 0) return { level, next, missing };
    level = next;
  }
  return { level, next: null, missing: [] };
}
