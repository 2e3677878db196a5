import type { FastifyReply, FastifyRequest } from 'fastify';
import { targetOf } from '../../schemas/kit/form/refs.ts';
import type { JsonSchema } from '../../schemas/kit/form/types.ts';
import type { Actor } from './actor.ts';

/** Whether a program of the public API calls: it has an access token, the console a session. */
export function isProgram(actor: Pick<Actor, 'via'> | undefined): boolean {
  return actor?.via === 'token';
}

/** A record for its caller: programs read it as `document` makes it, and the `types` of the route (`ProgramRules`) describe the members that differ. */
export function recordFor<R extends object>(actor: Pick<Actor, 'via'> | undefined, record: R, document: (record: R) => object): R {
  // To its type it is the record of the console; the description of the answer has the types of programs.
  return isProgram(actor) ? (document(record) as R) : record;
}

const MAX_NAMED = 20;

/** An answer that can carry warnings. */
export type Warnable = Pick<FastifyReply, 'header' | 'getHeader'>;

function quoted(name: string): string {
  return name.replace(/[^\w.:[\]-]/g, '?').slice(0, 60);
}

/** Reports to a program in the header `Warning` (RFC 7234, 5.5: 299, "miscellaneous persistent warning") what of its call was left out. */
export function warnOfIgnored(reply: Warnable, what: 'parameter' | 'field', names: readonly string[]): void {
  if (names.length === 0) return;
  const before = reply.getHeader('warning');
  const texts = names.slice(0, MAX_NAMED).map((name) => `299 - "Unknown ${what} ignored: ${quoted(name)}"`);
  reply.header('warning', [...(typeof before === 'string' ? [before] : []), ...texts].join(', '));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  if (typeof value !== 'object') return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

/**
 * A body without the unknown members that say nothing: those that are empty (null, "", [], {}), and those in `ignores`, which the public API documents and
 * this one has no meaning for. `left` are their paths. Everything else that is unknown stays, and is refused by the body's rules.
 */
export function leaveOutUnknown(
  schema: JsonSchema,
  body: unknown,
  ignores: readonly string[] = [],
  path = '',
  root = schema,
): { body: unknown; left: string[] } {
  const target = schema.$ref === undefined ? undefined : targetOf(schema.$ref, root);
  if (target) return leaveOutUnknown(target, body, ignores, path, root);
  if (Array.isArray(body)) {
    const items = typeof schema.items === 'object' && !Array.isArray(schema.items) ? schema.items : undefined;
    if (!items) return { body, left: [] };
    const parts = body.map((item, index) => leaveOutUnknown(items, item, ignores, `${path}${index}.`, root));
    return { body: parts.map((part) => part.body), left: parts.flatMap((part) => part.left) };
  }
  const { properties, additionalProperties } = schema;
  if (typeof body !== 'object' || body === null || !properties) return { body, left: [] };
  const left: string[] = [];
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(body)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known === undefined && additionalProperties === false && (ignores.includes(name) || isEmpty(value))) {
      left.push(`${path}${name}`);
      continue;
    }
    const inner = known ? leaveOutUnknown(known, value, ignores, `${path}${name}.`, root) : { body: value, left: [] };
    left.push(...inner.left);
    kept.push([name, inner.body]);
  }
  return { body: left.length === 0 ? body : Object.fromEntries(kept), left };
}

/** A schema with those that it combines. */
function withBranches(schema: JsonSchema): JsonSchema[] {
  const { allOf = [], anyOf = [], oneOf = [], then, else: otherwise } = schema;
  const branches = [...allOf, ...anyOf, ...oneOf, then, otherwise].filter((branch) => typeof branch === 'object');
  return [schema, ...branches.flatMap(withBranches)];
}

function readIntegers(schemas: readonly JsonSchema[], value: unknown): unknown {
  const all = schemas.flatMap(withBranches);
  if (typeof value === 'string') {
    const types = all.flatMap(({ type }) => type ?? []);
    return types.length > 0 && types.every((type) => type === 'integer') && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  }
  if (Array.isArray(value)) {
    const items = all.flatMap((schema) => (typeof schema.items === 'object' && !Array.isArray(schema.items) ? [schema.items] : []));
    return value.map((item) => readIntegers(items, item));
  }
  if (typeof value !== 'object' || value === null) return value;
  const membersOf = (name: string): JsonSchema[] =>
    all.flatMap(({ properties }) => (properties && Object.hasOwn(properties, name) ? (properties[name] ?? []) : []));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, readIntegers(membersOf(name), member)]));
}

/** A body with whole numbers where a program sent them as text ("12") and the schema takes nothing but whole numbers. */
function textsToIntegers(schema: JsonSchema, body: unknown): unknown {
  return readIntegers([schema], body);
}

/** How a route serves programs of the public API, which were written for its description. */
export interface ProgramRules {
  /** The documented status of success, where it is another than the console's. */
  status?: 200 | 201;
  /** Members of the body that are documented there and mean nothing here: left out with a warning. */
  ignores?: readonly string[];
  /** Members of records in the answer that programs read as another type than the console, with its schema. */
  types?: Readonly<Record<string, JsonSchema>>;
  /** The documented body as the one of this route; anything else comes back as it is. */
  translate?(body: unknown, actor: Actor): unknown;
}

/** Puts what a program sent into the request as the body of the route. */
export function takeProgramBody(request: FastifyRequest, reply: Warnable, schema: JsonSchema, { translate, ignores }: ProgramRules): void {
  const { actor } = request;
  const translated = translate && actor && request.body !== undefined ? translate(request.body, actor) : request.body;
  const { body, left } = leaveOutUnknown(schema, translated, ignores);
  warnOfIgnored(reply, 'field', left);
  request.body = textsToIntegers(schema, body);
}
