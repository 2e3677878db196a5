import { deepEquals } from '@rjsf/utils';
import { isMembers } from '../../../schemas/kit/form/form-fields.ts';
import { isSchema, itemOf, typesOf } from '../../../schemas/kit/form/schema-parts.ts';
import type { JsonSchema, JsonValue } from '../../../schemas/kit/form/types.ts';

/** Whether nobody has entered anything in a value, at any depth: a group or a list that only has rows that were drawn. */
export function isNothing(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => item === '' || isNothing(item));
  return isMembers(value) && Object.values(value).every(isNothing);
}

/** Whether a list has only the rows that it is drawn with because there must be some, and nothing was entered in them. */
export function isUnfilledList(schema: JsonSchema, value: JsonValue | undefined): boolean {
  if (!Array.isArray(value) || value.length === 0 || typesOf(itemOf(schema) ?? {}).includes('null')) return false;
  const drawn = drawnItem(itemOf(schema) ?? {});
  return value.length <= (schema.minItems ?? 0) && value.every((item) => item === '' || isNothing(item) || deepEquals(item, drawn));
}

/** The defaults of a group's members, as a row that is added begins with. */
function defaultsIn({ properties = {} }: JsonSchema): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, member]): [string, JsonValue][] => {
      if (!isSchema(member)) return [];
      if (member.default !== undefined) return [[name, member.default]];
      const inner = defaultsIn(member);
      return Object.keys(inner).length > 0 ? [[name, inner]] : [];
    }),
  );
}

/** What a row that is drawn because there must be one begins with. */
function drawnItem(item: JsonSchema): JsonValue {
  return item.default ?? (typesOf(item).includes('object') ? defaultsIn(item) : null);
}

/** A list with as many rows as there must be items, as rjsf draws it; the same list when it has them. */
export function withRows(schema: JsonSchema, value: JsonValue | undefined): JsonValue | undefined {
  const item = itemOf(schema);
  const items = value === undefined ? [] : value;
  const missing = Array.isArray(items) ? (schema.minItems ?? 0) - items.length : 0;
  if (!item || missing <= 0 || !Array.isArray(items)) return value;
  return [...items, ...Array.from({ length: missing }, () => drawnItem(item))];
}
