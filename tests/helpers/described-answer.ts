import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../schemas/kit/form/types.ts';

/** An OpenAPI description, as far as tests read it. */
export interface ApiDescription {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, JsonSchema>; responses: Record<string, unknown> };
}
export interface DescribedOperation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}

/** A call and its answer; `path` as the description has it: `/api/devices/{id}`. */
export interface AnsweredCall {
  method: string;
  path: string;
  status: number;
  /** The body as JSON. */
  text: string;
}

const JSON_TYPE = 'application/json';
const VALUES = new Set(['items', 'additionalProperties']);
const BRANCHES = new Set(['allOf', 'anyOf', 'oneOf']);

/** A copy of a schema that refuses members which it does not name. `isValue`: it is the whole of a value, not a part of another schema. */
function makeStrict(part: unknown, isValue: boolean): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  const members = Object.entries(part).map(([key, value]: [string, unknown]): [string, unknown] => {
    if (key === 'properties' && typeof value === 'object' && value !== null)
      return [key, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, makeStrict(inner, true)]))];
    if (VALUES.has(key)) return [key, makeStrict(value, true)];
    return [key, BRANCHES.has(key) && Array.isArray(value) ? value.map((inner) => makeStrict(inner, false)) : value];
  });
  const isOfMembers = members.some(([key]) => key === 'properties' || key === '$ref' || BRANCHES.has(key));
  return { ...Object.fromEntries(members), ...(isValue && isOfMembers ? { unevaluatedProperties: false } : {}) };
}

/** Checks answers against a description: every member has to be described, with its type. Answers how a call differs, in sentences. */
export function createAnswerChecker({ paths, components }: ApiDescription): (call: AnsweredCall) => string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, inlineRefs: false });
  const schemas = Object.fromEntries(Object.entries(components.schemas).map(([name, schema]) => [name, makeStrict(schema, false)]));
  ajv.addSchema({ components: { schemas } }, 'api');
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (name: string, schema: JsonSchema): ValidateFunction => {
    const text = JSON.stringify(makeStrict(schema, true)).replaceAll('"#/components/', '"api#/components/');
    const validator = validators.get(name) ?? ajv.compile(JSON.parse(text));
    validators.set(name, validator);
    return validator;
  };
  return ({ method, path, status, text }) => {
    const name = `${method} ${path} ${status}`;
    const content = paths[path]?.[method.toLowerCase()]?.responses[status]?.content;
    if (!content) return [`${name} is not described`];
    const schema = content[JSON_TYPE]?.schema;
    if (!schema) return [];
    const validate = validatorOf(name, schema);
    if (validate(JSON.parse(text))) return [];
    const faults = (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
    return [`${name}: ${[...new Set(faults)].slice(0, 6).join('; ')}`];
  };
}
