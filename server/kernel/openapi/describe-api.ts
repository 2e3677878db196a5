import type { Contract, JsonSchema, JsonValue } from '../../../schemas/kit/form/types.ts';
import type { RouteInfo } from '../route.ts';
import { shippedContract } from '../shipped-contract.ts';
import type { TSchema } from '../type.ts';
import { describeAnswer, readDescribedAnswers, type DescribedAnswer } from './described-answers.ts';
import { liftDefinitions, type Components } from './lift-definitions.ts';
import { nameOperations } from './operation-ids.ts';

type Json = { [key: string]: JsonValue | JsonSchema | Json | Json[] | undefined };

const JSON_TYPE = 'application/json';
const toRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** What the answers of all routes have in common with others of their kind. */
const FAILURES: Record<string, string> = {
  400: 'Something in the request is wrong; `errors` says what. Programs get 422 for fields of the body.',
  401: 'No token or session, or one that has ended.',
  403: 'The caller does not have the permission or the scope.',
  404: 'There is no such record among those that the caller sees.',
  409: 'The record is in another state than the request needs.',
  413: 'The body is too large.',
  422: 'Fields of the body are wrong; `errors` says which (for programs).',
  429: 'Too many requests; `Retry-After` says when to ask again.',
};

/** `/api/devices/:id` → `/api/devices/{id}` */
function toOpenPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function propertiesOf(schema: TSchema | undefined): [string, JsonSchema][] {
  const { properties } = (schema ?? {}) as { properties?: Record<string, JsonSchema> };
  return Object.entries(properties ?? {});
}

function describeAccess({ access, tokens }: Pick<RouteInfo, 'access' | 'tokens'>): string {
  if (access === 'public') return 'Open to everybody.';
  const people = tokens === 'none' ? ' No access token may do this.' : '';
  if (access === 'signed-in') return `For everybody who is signed in.${people}`;
  return 'permission' in access
    ? `Needs the permission \`${access.permission}\`.${people}`
    : `Needs one of the permissions ${access.anyOf.map((name) => `\`${name}\``).join(', ')}.${people}`;
}

interface Kind {
  answer: DescribedAnswer | undefined;
  /** `data` is a list that has pages. */
  hasPages: boolean;
}

/** An answer in JSON with this `data`; without one it has none. */
function envelopeOf({ answer, hasPages }: Kind, data: JsonSchema | undefined): Json {
  if (answer?.body) return answer.body as Json;
  if (!data) return toRef('Envelope');
  const schema: Json = { type: 'object', ...(answer?.mayMissData ? {} : { required: ['data'] }), properties: { data } };
  return { allOf: [toRef(hasPages ? 'ListEnvelope' : 'Envelope'), schema] };
}

/** The answer of a call that did a part of what it was asked for. */
function partialContentOf(kind: Kind, data: JsonSchema): Json {
  const errors: Json = { type: 'object', required: ['errors'], properties: { errors: { type: 'array', items: toRef('ErrorItem') } } };
  return { [JSON_TYPE]: { schema: { allOf: [envelopeOf(kind, data), errors] } } };
}

function contentOf({ mediaType = JSON_TYPE, answer }: RouteInfo, kind: Kind, data = kind.answer?.data): Json {
  if (answer) return { [mediaType]: { schema: answer } };
  if (mediaType === JSON_TYPE) return { [JSON_TYPE]: { schema: envelopeOf(kind, data) } };
  return { [mediaType]: { schema: { type: 'string', ...(mediaType.startsWith('text/') ? {} : { format: 'binary' }) } } };
}

/** Statuses that a route may answer beside success and failures of the server. */
function failuresOf({ method, path, access, body }: RouteInfo): string[] {
  const isProtected = access !== 'public';
  return [
    '400',
    ...(isProtected ? ['401', '403'] : []),
    ...(path.includes(':') ? ['404'] : []),
    ...(method === 'GET' ? [] : ['409']),
    ...(body ? ['413', ...(isProtected ? ['422'] : [])] : []),
    '429',
  ];
}

function answersOf(route: RouteInfo, kind: Kind): Json {
  const isCreation = kind.answer?.status === 201;
  const status = route.programs?.status ?? kind.answer?.status ?? 200;
  const failures = failuresOf(route).map((code) => [code, { $ref: `#/components/responses/${code}` }]);
  const partial = kind.answer?.partial;
  return {
    [status]: { description: isCreation ? 'The record was added.' : 'It worked.', content: contentOf(route, kind) },
    ...(partial
      ? {
          207: { description: 'Some of the records were changed; `errors` says which were not.', content: partialContentOf(kind, partial) },
        }
      : {}),
    ...Object.fromEntries(failures),
    default: { $ref: '#/components/responses/default' },
  };
}

interface Naming {
  operationId: string;
  kind: Kind;
  components: Components;
}

function operationOf(route: RouteInfo, { operationId, kind, components }: Naming): Json {
  const parameters = [
    ...propertiesOf(route.params).map(([name, schema]) => ({ name, in: 'path', required: true, schema })),
    ...propertiesOf(route.query).map(([name, schema]) => ({ name, in: 'query', schema })),
  ];
  const body = route.body && (liftDefinitions(route.body as JsonSchema, `${operationId}Body`, components) as JsonSchema);
  return {
    operationId,
    summary: route.summary,
    description: describeAccess(route),
    tags: [route.tag],
    ...(route.access === 'public' ? { security: [] } : route.tokens === 'none' ? { security: [{ session: [] }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: { [JSON_TYPE]: { schema: body } } } } : {}),
    responses: answersOf(route, kind),
  };
}

function envelopes(contract: Contract): Json {
  const item: Json = {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'string', enum: Object.keys(contract.errors.errors) },
      message: { type: 'string' },
      source: { type: 'string', description: 'Path of the field or name of the parameter.' },
      params: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
    },
  };
  const meta: Json = {
    type: 'object',
    properties: {
      total: { type: 'integer', description: 'Rows of the whole list.' },
      _total: { type: 'integer', description: 'The same, in the list of users.' },
      channel: { type: 'string', description: 'Follow it at `/status/channel/{channel}` or on the live channel.' },
      job_id: { type: 'integer', description: 'The job that was started.' },
      count: { type: 'integer', description: 'Devices of the job, or records that were changed.' },
      seen: { type: 'integer', description: 'Devices that were seen when they were chosen, where that is not all.' },
      id: { type: ['integer', 'null'], description: 'The record that was added.' },
      credit_code: { type: 'string', description: 'A new code, which is said only here.' },
      amount: { type: 'integer', description: 'Credits of a code that was activated.' },
      lines: { type: 'integer', description: 'Lines of a file that was read.' },
      changed: { type: 'integer', description: 'Records that a file has changed.' },
      max_router_uptime: { type: ['string', 'null'], description: 'MAC address of the device of a report that ran longest.' },
      max_connection_uptime: { type: ['string', 'null'], description: 'MAC address of the device of a report that was connected longest.' },
    },
  };
  return {
    ErrorItem: item,
    Meta: meta,
    Envelope: {
      type: 'object',
      required: ['success'],
      properties: { success: { type: 'boolean', const: true }, meta: toRef('Meta') },
    },
    ListEnvelope: {
      type: 'object',
      required: ['success', 'meta'],
      properties: {
        success: { type: 'boolean', const: true },
        meta: { allOf: [toRef('Meta'), { type: 'object', required: ['total'] }] },
      },
    },
    Failure: {
      type: 'object',
      required: ['success', 'errors'],
      properties: {
        success: { type: 'boolean', const: false },
        code: { type: 'string', description: 'Of the first error, for callers with a token.' },
        message: { type: 'string', description: 'Of the first error, for callers with a token.' },
        errors: { type: 'array', items: toRef('ErrorItem') },
        meta: { type: 'object' },
      },
    },
  };
}

function describeFailures(): Json {
  const content = { [JSON_TYPE]: { schema: toRef('Failure') } };
  const named = Object.entries(FAILURES).map(([status, description]): [string, Json] => [status, { description, content }]);
  return { ...Object.fromEntries(named), default: { description: 'It did not work; `errors` says why.', content } };
}

function componentsOf(contract: Contract, components: Components): Json {
  for (const { id, schema: source } of Object.values(contract.entities)) {
    // Members that the caller may not see, or did not ask for by `fields`, are left out.
    const { required: _required, ...schema } = source;
    components.set(id, { source, schema: liftDefinitions(schema, id, components) });
  }
  const schemas = [...components].map(([name, { schema }]): [string, Json] => [name, schema as Json]);
  return {
    schemas: { ...Object.fromEntries(schemas), ...envelopes(contract) },
    responses: describeFailures(),
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'A personal access token.' },
      session: { type: 'apiKey', in: 'cookie', name: 'canopy_access', description: 'The console; changes also need X-XSRF-TOKEN.' },
    },
  };
}

/**
 * The OpenAPI 3.1 description of the registered routes; records, bodies and error codes come from the contract. `listPaths`: the routes that answer lists with
 * pages. Generators of clients read it: names of operations are stable, and every reference is within the document.
 */
export function describeApi(
  routes: readonly RouteInfo[],
  { url, version, listPaths }: { url: string; version: string; listPaths: ReadonlySet<string> },
): Json {
  const paths: Record<string, Json> = {};
  const described = Object.entries(readDescribedAnswers().schemas);
  const components: Components = new Map(described.map(([name, schema]) => [name, { source: schema, schema }]));
  const names = nameOperations(routes, listPaths);
  for (const [index, route] of routes.entries()) {
    const operationId = names[index] ?? '';
    const kind = { answer: describeAnswer(route), hasPages: route.method === 'GET' && listPaths.has(route.path) };
    const path = toOpenPath(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, { operationId, kind, components }) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Canopy', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url }],
    security: [{ token: [] }, { session: [] }],
    paths,
    components: componentsOf(shippedContract(), components),
  };
}
