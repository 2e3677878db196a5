import type { MonitoringTemplate } from '../../../schemas/_generated/contract.ts';
import { isMembers } from '../../../schemas/kit/form/form-fields.ts';
import type { JsonSchema } from '../../../schemas/kit/form/types.ts';

/** Settings of a variable that are null for programs where it has none. */
const OPTIONS = { ref: null, enum: null, default: null, transform: null } as const;

/** A variable with the settings that it has; null means none. */
function readVariable(variable: unknown): unknown {
  if (!isMembers(variable)) return variable;
  return Object.fromEntries(Object.entries(variable).filter(([name, value]) => value !== null || !Object.hasOwn(OPTIONS, name)));
}

/** Sources as programs of the public API send them: one without variables is kept as one variable, its whole answer. */
export function readSources(body: unknown): unknown {
  if (!isMembers(body) || !Array.isArray(body['data'])) return body;
  const data = body['data'].map((source: unknown) => {
    if (!isMembers(source)) return source;
    const { variables } = source;
    if (variables === undefined) return { ...source, variables: [{ id: 'answer', filter: '$', type: 'object' }] };
    return Array.isArray(variables) ? { ...source, variables: variables.map(readVariable) } : source;
  });
  return { ...body, data };
}

/** A template as programs of the public API read it: every setting of a variable is there, and every source says that its address has no parameters. */
export function documentTemplate(template: MonitoringTemplate) {
  const sources = template.data.map((source) => ({
    ...source,
    url_params: {},
    variables: source.variables.map((variable) => ({ ...OPTIONS, ...variable })),
  }));
  return { ...template, config: { ...template.config, data: sources } };
}

const text: JsonSchema = { type: 'string' };
const variable: JsonSchema = {
  type: 'object',
  required: ['id', 'filter', 'type', 'ref', 'enum', 'default', 'transform'],
  properties: {
    ...{ id: text, filter: text, type: text, description: text },
    ref: { type: 'null', description: 'A value is found by its filter alone.' },
    enum: { type: ['array', 'null'], items: text },
    default: { type: ['string', 'null'] },
    transform: { type: ['object', 'null'], properties: { evaluator: text, eval_var: text, expression: text } },
  },
};
const source: JsonSchema = {
  type: 'object',
  required: ['url', 'url_params', 'query_parameters', 'variables'],
  properties: {
    url: text,
    url_params: { type: 'object', maxProperties: 0, additionalProperties: { type: 'array', items: text } },
    query_parameters: {
      type: 'array',
      items: { type: 'object', required: ['key', 'value'], properties: { key: text, value: { type: 'array', items: text } } },
    },
    variables: { type: 'array', items: variable },
  },
};

/** The members of a template that programs read as another type than the console. */
export const templateTypes: Readonly<Record<string, JsonSchema>> = {
  config: {
    type: 'object',
    required: ['id', 'name', 'description', 'type', 'version', 'data', 'api_system', 'api_version', 'device_documentation_id'],
    properties: {
      id: { type: 'integer' },
      ...{ name: text, type: text, version: text, api_version: text },
      description: { type: ['string', 'null'] },
      data: { type: 'array', items: source },
      api_system: { type: ['string', 'null'] },
      device_documentation_id: { type: ['integer', 'null'] },
    },
  },
};
