import { getUiOptions, type RJSFSchema, type SchemaUtilsType } from '@rjsf/utils';

const MOVING = ['$ref', 'if', 'dependencies', 'dependentSchemas', 'dependentRequired', 'allOf', 'anyOf', 'oneOf', 'patternProperties'];
const SCALARS = new Set<unknown>(['string', 'number', 'integer']);

/** Schemas that are the same whatever the data. */
const plain = new WeakMap<object, boolean>();

function isPlain(schema: RJSFSchema): boolean {
  const known = plain.get(schema);
  if (known !== undefined) return known;
  const found = judge(schema);
  plain.set(schema, found);
  return found;
}

function judge(schema: RJSFSchema): boolean {
  if (MOVING.some((key) => key in schema)) return false;
  if ('additionalProperties' in schema && schema.additionalProperties !== false) return false;
  if (Object.values(schema.properties ?? {}).some((part) => typeof part !== 'object' || !isPlain(part))) return false;
  const { items } = schema;
  return items === undefined || (typeof items === 'object' && !Array.isArray(items) && isPlain(items));
}

/**
 * rjsf 6.11 marks the schema of a pattern itself as that of an added member, and then takes the members that the schema names, and that fit the
 * pattern, for added ones too. It gets a copy to mark.
 */
function withOwnPatterns(schema: RJSFSchema): RJSFSchema {
  return schema.patternProperties ? { ...schema, patternProperties: structuredClone(schema.patternProperties) } : schema;
}

/** rjsf marks members that another choice brought as undefined, and then takes them for entered ones that need no default. */
function withoutUndefined<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).flatMap(([name, inner]) => (inner === undefined ? [] : [[name, withoutUndefined(inner)]]));
  return Object.fromEntries(members) as T;
}

/**
 * rjsf's helpers with short cuts for parts of a schema without references and conditions: it asks them several times for each field it draws, and
 * their general answers take longer than the drawing.
 */
export function quickUtils(utils: SchemaUtilsType): SchemaUtilsType {
  const retrieveSchema = utils.retrieveSchema.bind(utils);
  const isSelect = utils.isSelect.bind(utils);
  const getDisplayLabel = utils.getDisplayLabel.bind(utils);
  const sanitize = utils.sanitizeDataForNewSchema.bind(utils);
  utils.sanitizeDataForNewSchema = (...args) => withoutUndefined(sanitize(...args));
  utils.retrieveSchema = (schema, ...rest) => (isPlain(schema) ? schema : retrieveSchema(withOwnPatterns(schema), ...rest));
  utils.isSelect = (schema) => (isPlain(schema) ? Array.isArray(schema.enum) : isSelect(schema));
  utils.getDisplayLabel = (schema, uiSchema, globals) =>
    isPlain(schema) && SCALARS.has(schema.type) && !uiSchema?.['ui:field']
      ? getUiOptions(uiSchema, globals).label !== false
      : getDisplayLabel(schema, uiSchema, globals);
  return utils;
}
