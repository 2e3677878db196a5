import type { JsonSchema } from '../../../../../schemas/kit/form/types.ts';

/** What each item of a list must be; nothing in particular where the schema does not say, or says it place by place. */
export function itemsSchemaOf({ items }: JsonSchema): JsonSchema {
  return typeof items === 'object' && !Array.isArray(items) ? items : {};
}
