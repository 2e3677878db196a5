import { createSchemaUtils, deepEquals, type RJSFSchema, type SchemaUtilsType, type ValidatorType } from '@rjsf/utils';
import { drawnSchema } from '../../../schemas/kit/form/drawn-schema.ts';
import { decisiveNames, isMoving } from './schema-parts.ts';
import { quickUtils } from './theme/quick-utils.ts';
import { valueIn, withValueIn, type Path } from './paths.ts';
import type { FormFile, JsonValue } from '../../../schemas/kit/form/types.ts';

/** What rjsf fills into a form's data and clears from it as its schema's conditions are met or no longer are. */
export interface SchemaData {
  /** The form's schema and rjsf's helpers for it, made once. */
  readonly root: RJSFSchema;
  readonly utils: SchemaUtilsType;
  /** Nothing in it depends on data: its fields are those that the form names. */
  readonly isPlain: boolean;
  /** The data to start with, with the schema's defaults. */
  begin(data: JsonValue | undefined): JsonValue | undefined;
  /** The data after a change of these values; the same object when nothing follows from it. `emptied` stay empty, whatever their default. */
  follow(data: JsonValue | undefined, changed: readonly Path[], emptied: Iterable<Path>): JsonValue | undefined;
}

/** See `SchemaData`. The whole is resolved again only when a value changed that a condition names. */
export function createSchemaData({ schema }: Pick<FormFile, 'schema'>, validator: ValidatorType): SchemaData {
  const root = drawnSchema(schema) as RJSFSchema;
  const utils = quickUtils(createSchemaUtils(validator, root, { emptyObjectFields: 'skipEmptyDefaults' }));
  // Plain forms are filled from the record and the defaults of their fields alone (`startData`).
  const isPlain = schema.properties !== undefined && !isMoving(schema);
  const decisive = isPlain ? new Set<string>() : decisiveNames(schema);
  let resolved: RJSFSchema = root;

  function resolve(data: JsonValue | undefined): RJSFSchema {
    const now = utils.retrieveSchema(root, data);
    return deepEquals(now, resolved) ? resolved : now;
  }
  function keep(next: JsonValue | undefined, data: JsonValue | undefined): JsonValue | undefined {
    return deepEquals(next, data) ? data : next;
  }

  return {
    root,
    utils,
    isPlain,
    begin(data) {
      if (isPlain) return data;
      const filled: JsonValue | undefined = utils.getDefaultFormState(root, data);
      resolved = resolve(filled);
      return filled;
    },
    follow(data, changed, emptied) {
      if (isPlain || !changed.some((path) => path.length === 0 || path.some((part) => decisive.has(String(part))))) return data;
      const before = resolved;
      resolved = resolve(data);
      const clean: JsonValue | undefined = resolved === before ? data : utils.sanitizeDataForNewSchema(resolved, before, data);
      let filled: JsonValue | undefined = utils.getDefaultFormState(root, clean, false, true);
      for (const path of emptied) if (valueIn(clean, path) === undefined) filled = withValueIn(filled, path, undefined);
      return keep(filled, data);
    },
  };
}
