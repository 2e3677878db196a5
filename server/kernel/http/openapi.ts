import { shippedContract } from '../shipped-contract.ts';
import type { TSchema } from '../type.ts';
import { resources } from '../../../resources.config.ts';
import type { Contract, JsonSchema, JsonValue } from '../../../schemas/kit/form/types.ts';
import type { RouteInfo } from '../route.ts';
import type { Access } from '../actor.ts';

type Json = { [key: string]: JsonValue | JsonSchema | Json | Json[] | undefined };

const envelopeRef = '#/components/schemas/Envelope';

/** `/api/devices/:id` → `/api/devices/{id}` */
function openPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function propertiesOf(schema: TSchema | undefined): [string, JsonSchema][] {
  const { properties } = (schema ?? {}) as { properties?: Record<string, JsonSchema> };
  return Object.entries(properties ?? {});
}

function describeAccess(access: Access): string {
  if (typeof access === 'string') return access === 'public' ? 'Open to everybody.' : 'For everybody who is signed in.';
  return 'permission' in access
    ? `Needs the permission \`${access.permission}\`.`
    : `Needs one of the permissions ${access.anyOf.map((name) => `\`${name}\``).join(', ')}.`;
}

/** Which entity a reading route answers, from the resource whose collection it is. */
function dataOf({ method, path }: RouteInfo): Json | undefined {
  if (method !== 'GET') return undefined;
  const resource = resources.find((entry) => [`/api/${collectionOf(entry)}`, `/api/${collectionOf(entry)}/:id`].includes(path));
  if (!resource) return undefined;
  const record = { $ref: `#/components/schemas/${resource.entity}` };
  return path.endsWith('/:id') ? record : { type: 'array', items: record };
}

function collectionOf(entry: { name: string; path?: string }): string {
  return entry.path ?? entry.name;
}

function answersOf(route: RouteInfo): Json {
  const data = dataOf(route);
  const schema = data ? { allOf: [{ $ref: envelopeRef }, { type: 'object', properties: { data } }] } : { $ref: envelopeRef };
  return {
    '2XX': { description: 'It worked.', content: { 'application/json': { schema } } },
    default: { description: 'It did not work; `errors` says why.', content: { 'application/json': { schema: { $ref: envelopeRef } } } },
  };
}

function operationOf(route: RouteInfo): Json {
  const parameters = [
    ...propertiesOf(route.params).map(([name, schema]) => ({ name, in: 'path', required: true, schema })),
    ...propertiesOf(route.query).map(([name, schema]) => ({ name, in: 'query', schema })),
  ];
  return {
    operationId: `${route.method} ${route.path}`,
    summary: route.summary,
    description: describeAccess(route.access),
    tags: [route.tag],
    ...(route.access === 'public' ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: { content: { 'application/json': { schema: route.body as JsonSchema } } } } : {}),
    responses: answersOf(route),
  };
}

function componentsOf(contract: Contract): Json {
  const entities = Object.values(contract.entities).map((entity): [string, JsonSchema] => [entity.id, entity.schema]);
  const item: Json = {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'string', enum: Object.keys(contract.errors.errors) },
      message: { type: 'string' },
      source: { type: 'string', description: 'Path of the field or name of the parameter.' },
      params: { type: 'object' },
    },
  };
  return {
    schemas: {
      ...Object.fromEntries(entities),
      Envelope: {
        type: 'object',
        required: ['success'],
        properties: { success: { type: 'boolean' }, data: {}, meta: { type: 'object' }, errors: { type: 'array', items: item } },
      },
    },
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'A personal access token.' },
      session: { type: 'apiKey', in: 'cookie', name: 'canopy_access', description: 'The console; changes also need X-XSRF-TOKEN.' },
    },
  };
}

/** The OpenAPI 3.1 description of the registered routes; records, bodies and error codes come from the contract. */
export function describeApi(routes: readonly RouteInfo[], { url, version }: { url: string; version: string }): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = openPath(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Canopy', version, license: { name: 'Apache-2.0' } },
    servers: [{ url }],
    security: [{ token: [] }, { session: [] }],
    paths,
    components: componentsOf(shippedContract()),
  };
}
