import hashForSchema from '@rjsf/utils/lib/hashForSchema.js';
import { itemsFromErrors } from '../../../schemas/kit/form/validation-items.ts';
import { valueIn } from './paths.ts';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import type { ErrorItem, JsonSchema, JsonValue } from '../../../schemas/kit/form/types.ts';

/** The schemas that are drawn where there is a choice of several, by the key of the node; the choice within a choice comes after it. */
export type ChosenSchemas = ReadonlyMap<string, readonly JsonSchema[]>;

/**
 * The items with, in place of "matches none of the options", what is wrong with the option that is drawn: it is on screen, so each of its fields can say so.
 * Pure.
 */
export function explainChoices(
  items: readonly ErrorItem[],
  { parts }: Pick<FormModule, 'parts'>,
  data: JsonValue | undefined,
  drawn: ChosenSchemas,
): ErrorItem[] {
  return items.flatMap((item) => {
    const { source = '', params } = item;
    const [option, ...inside] = (params?.['key'] === 'validation.choice' && drawn.get(source)) || [];
    const check = option && parts[hashForSchema(option as Parameters<typeof hashForSchema>[0])];
    const value = valueIn(data, source === '' ? [] : source.split('.'));
    if (!check || check(value)) return [item];
    const inner = itemsFromErrors(check.errors, option, value).map((found) => ({
      ...found,
      ...placed([source, found.source ?? ''].filter(Boolean).join('.')),
    }));
    return explainChoices(inner, { parts }, data, new Map([...drawn, [source, inside]]));
  });
}

function placed(source: string): Pick<ErrorItem, 'source'> {
  return source === '' ? {} : { source };
}
