import { finished } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from './type.ts';
import type { Undo } from './undo.ts';
import type { Context } from '../context.ts';
import { assertProgram, can, type Actor, type Origin, type Access } from './actor.ts';
import type { Answer } from './answer.ts';
import type { Proof } from './auth/challenges.ts';
import type { Duty } from './auth/required-actions.ts';
import { validatorCompiler, type BodyCheck } from './body-rules.ts';
import { proofMembers, requireSudo, takeProof } from './auth/proof.ts';
import type { JsonSchema } from '../../schemas/kit/form/types.ts';
import { dropUploads, readParts, type Upload } from './http/uploads.ts';
import { defineError, Forbidden, Unauthorized, UnknownField } from './errors.ts';
import { originOf } from './origin.ts';
import { isProgram, leaveOutUnknown, warnOfIgnored } from './lenient-calls.ts';
import type { ListRules, ListQuery } from './list-query.ts';
import type { Language } from './language.ts';

export interface Call<P, Q, B> {
  ctx: Context;
  params: P;
  query: Q;
  body: B;
  origin: Origin;
  request: FastifyRequest;
  /** Only to set cookies and headers; answers are returned. */
  reply: FastifyReply;
}

interface RouteBase<P extends TSchema, Q extends TSchema, B extends TSchema> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api`, or below `/` with `atRoot`. `:name` marks a parameter. */
  path: string;
  atRoot?: boolean;
  /** One line for the API description. */
  summary: string;
  tag: string;
  params?: P;
  query?: Q;
  body?: B;
  /** Checks the body in place of its schema, for rules that a schema cannot express. */
  checkBody?: BodyCheck;
  /** Accepts query members beside the declared ones; the handler checks them (lists do). */
  hasOwnQueryCheck?: boolean;
  /** Bytes; 1 MiB by default. */
  bodyLimit?: number;
  /** Also takes the body as multipart parts, with files up to this many bytes each; they are in `request.uploads`. */
  maxFileBytes?: number;
  /** Also takes the body as `application/x-www-form-urlencoded`, as OAuth 2 has it; all its members are texts. */
  takesForm?: boolean;
  /** The schema that reports numbers and lists among the texts of parts; the body's by default. */
  partsSchema?(request: FastifyRequest): JsonSchema;
  /** Calls per minute from one address. */
  ratePerMinute?: number;
  /**
   * `sudo`: passes only when the session shows again who it is (second factor, else password) · `sign-in`: the handler asks for the second
   * factor itself, and finds what was sent of one in `request.proof`. Either way the body may hold `session_code`, `session_id`, `session_uuid`.
   */
  proof?: 'sudo' | 'sign-in';
  /** What a person may still have to do and call this all the same; nothing by default. */
  serves?: readonly Duty[];
  /** Judges the caller of a public route that knows its callers in a way of its own, before a byte of the body is read. */
  checkCaller?(ctx: Context, request: FastifyRequest): Promise<void>;
  /** Refused to anyone who impersonates somebody else. Routes with `proof: 'sudo'` always are. */
  onlyInPerson?: boolean;
  /** A GET of the public API that starts or uses up something: only with an access token, because any page can make a browser send a GET of a session. */
  forPrograms?: boolean;
  /** What programs of the public API send and read otherwise than the console. */
  programs?: ProgramRules;
}

/** How a route serves programs of the public API, which were written for its description. */
export interface ProgramRules {
  /** The documented status of success, where it is another than the console's. */
  status?: 200 | 201;
  /** Members of the body that are documented there and mean nothing here: left out with a warning. */
  ignores?: readonly string[];
  /** The documented body as the one of this route; anything else comes back as it is. */
  translate?(body: unknown, actor: Actor): unknown;
}

/** Handlers of public routes have no actor. */
type WithActor<A extends Access> = A extends 'public' ? unknown : { actor: Actor };

export interface RouteSpec<P extends TSchema, Q extends TSchema, B extends TSchema, A extends Access> extends RouteBase<P, Q, B> {
  access: A;
  handler(call: Call<Static<P>, Static<Q>, Static<B>> & WithActor<A>): Promise<Answer>;
}

/** A registered route as data: the access matrix, the API description and the tests read it. */
export interface RouteInfo {
  method: string;
  path: string;
  access: Access;
  summary: string;
  tag: string;
  params: TSchema | undefined;
  query: TSchema | undefined;
  body: TSchema | undefined;
  proof: 'sudo' | 'sign-in' | undefined;
  onlyInPerson: boolean;
  forPrograms: boolean;
}

/** What a room registers itself on. */
export interface App {
  fastify: FastifyInstance;
  ctx: Context;
  routes: RouteInfo[];
  /** The lists, for the calls that answer them as files. */
  lists: ListSpec<object>[];
  /** Calls that come and go while the server runs, for the API description. */
  describeMore: (() => RouteInfo[])[];
  /** How changes are undone, by the action of their history rows. */
  undos: Map<string, Undo>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    serves?: readonly Duty[];
    onlyInPerson?: boolean;
    /** Takes multipart bodies. */
    takesFiles?: boolean;
    /** Takes `application/x-www-form-urlencoded` bodies. */
    takesForm?: boolean;
  }
  interface FastifyRequest {
    actor: Actor | undefined;
    /** What was sent of a second factor; see `RouteBase.proof`. */
    proof: Proof | undefined;
    /** The files of a multipart call, by the token that is in the body. */
    uploads: Map<string, Upload>;
  }
}

const DEFAULT_BODY_LIMIT = 1024 * 1024;

/** Calls per minute: by user for those who signed in, by address for the rest. A route's `ratePerMinute` replaces the number. */
const RATE_SIGNED_IN = 60_000;
const RATE_PUBLIC = 600;

/** Whether a route of this access is open to the actor. */
export function isAllowed(actor: Actor, access: Exclude<Access, 'public'>): boolean {
  if (access === 'signed-in') return true;
  if ('permission' in access) return can(actor, access.permission);
  return access.anyOf.some((permission) => can(actor, permission));
}

const OnlyInPerson = defineError('ONLY_IN_PERSON');

/** Throws ONLY_IN_PERSON for a route that nobody calls during impersonation; runs before the body is read. */
export function checkInPerson(onlyInPerson: boolean | undefined, actor: Actor | undefined): void {
  if (onlyInPerson && actor && actor.onBehalfOf !== null) throw new OnlyInPerson({});
}

/** Throws UNAUTHORIZED or FORBIDDEN; runs before the body is read, for every route of the server. */
export function checkAccess(access: Access | undefined, actor: Actor | undefined): void {
  if (access === undefined) throw new Forbidden({});
  if (access === 'public') return;
  if (!actor) throw new Unauthorized({});
  if (!isAllowed(actor, access)) throw new Forbidden({});
}

function rateOf(access: Access, ratePerMinute: number | undefined) {
  return { max: ratePerMinute ?? (access === 'public' ? RATE_PUBLIC : RATE_SIGNED_IN), timeWindow: '1 minute' };
}

/** Query parameters that a route does not declare: those of programs that only read are ignored with a warning, else the first is refused with UNKNOWN_FIELD. */
function checkQueryKnown({ query, actor, method }: FastifyRequest, reply: FastifyReply, schema: TSchema | undefined): void {
  const declared = schema === undefined ? [] : Object.keys((schema as { properties?: object }).properties ?? {});
  const unknown = Object.keys(query as object).filter((name) => !declared.includes(name));
  if (method === 'GET' && isProgram(actor)) return warnOfIgnored(reply, 'parameter', unknown);
  const [first] = unknown;
  if (first !== undefined) throw new UnknownField({ field: first }, { source: first });
}

/** What a program sent, as the body of the route. */
function takeProgramBody(request: FastifyRequest, reply: FastifyReply, schema: TSchema, { translate, ignores }: ProgramRules): void {
  const { actor } = request;
  const translated = translate && actor && request.body !== undefined ? translate(request.body, actor) : request.body;
  const { body, left } = leaveOutUnknown(schema as JsonSchema, translated, ignores);
  warnOfIgnored(reply, 'field', left);
  request.body = body;
}

function withProofMembers(body: TSchema): TSchema {
  return { ...body, properties: { ...(body as { properties?: object }).properties, ...proofMembers } };
}

/** Registers a route. One that does not say who may call it does not start. Throws Error naming the route. */
export function route<P extends TSchema, Q extends TSchema, B extends TSchema, A extends Access>(
  app: App,
  spec: RouteSpec<P, Q, B, A>,
): void {
  const url = spec.atRoot ? spec.path : `/api${spec.path}`;
  const declared: Access | undefined = spec.access;
  if (!declared) throw new Error(`Route ${spec.method} ${url} declares no permission; say { permission: '…' }, 'signed-in' or 'public'`);
  const { method, access, summary, tag, params, query, body, proof, maxFileBytes } = spec;
  if (body && 'properties' in body && !('additionalProperties' in body))
    throw new Error(`Route ${method} ${url} leaves open what its body may hold; say { additionalProperties: false }`);
  const onlyInPerson = spec.onlyInPerson ?? proof === 'sudo';
  app.routes.push({
    method,
    path: url,
    access,
    summary,
    tag,
    params,
    query,
    body: proof && body ? withProofMembers(body) : body,
    proof,
    onlyInPerson,
    forPrograms: spec.forPrograms === true,
  });
  app.fastify.route({
    method,
    url,
    config: {
      access,
      ...(spec.serves ? { serves: spec.serves } : {}),
      onlyInPerson,
      takesFiles: maxFileBytes !== undefined,
      takesForm: spec.takesForm === true,
      rateLimit: rateOf(access, spec.ratePerMinute),
    },
    bodyLimit: spec.bodyLimit ?? (maxFileBytes ?? 0) + DEFAULT_BODY_LIMIT,
    // Answers to changes may hold a secret beside what the caller sent; their compressed length would reveal it.
    ...(method === 'GET' ? {} : { compress: false }),
    schema: {
      ...(params ? { params } : {}),
      ...(query && !spec.hasOwnQueryCheck ? { querystring: query } : {}),
      ...(body ? { body } : {}),
    },
    ...(spec.checkBody ? { validatorCompiler: validatorCompiler(spec.checkBody) } : {}),
    ...(spec.checkCaller ? { onRequest: (request: FastifyRequest) => spec.checkCaller?.(app.ctx, request) ?? Promise.resolve() } : {}),
    preValidation: async (request, reply) => {
      if (maxFileBytes !== undefined && request.isMultipart())
        await readParts(app.ctx, request, spec.partsSchema?.(request) ?? (body as JsonSchema), maxFileBytes);
      if (proof) request.proof = takeProof(request);
      if (body && isProgram(request.actor)) takeProgramBody(request, reply, body, spec.programs ?? {});
    },
    ...(maxFileBytes === undefined ? {} : { onSend: (request) => dropUploads(request) }),
    // @NOTE After the body's rules: nobody looks up a code for a form that is refused anyway.
    ...(proof === 'sudo' ? { preHandler: (request) => requireSudo(app.ctx, request) } : {}),
    handler: async (request, reply) => {
      if (spec.forPrograms && request.actor) assertProgram(request.actor);
      if (!spec.hasOwnQueryCheck) checkQueryKnown(request, reply, query);
      const call = {
        ctx: app.ctx,
        params: request.params as Static<P>,
        query: request.query as Static<Q>,
        body: request.body as Static<B>,
        origin: originOf(request),
        request,
        reply,
        actor: request.actor,
      };
      // @NOTE The access check before the body has let nobody without an actor come to a route that is not public.
      const answer = await spec.handler(call as typeof call & WithActor<A>);
      // A long download ends with the right to ask for it.
      if ('stream' in answer && request.actor && access !== 'public')
        finished(reply.raw, app.ctx.live.addUnderWay({ actor: request.actor, access, end: () => reply.raw.destroy() }));
      return send(reply, answer, isProgram(request.actor) ? spec.programs?.status : undefined);
    },
  });
}

function send(reply: FastifyReply, answer: Answer, documented: number | undefined): FastifyReply {
  // 207 is documented as it is.
  reply.code(answer.status === 207 ? 207 : (documented ?? answer.status));
  if ('stream' in answer) return reply.headers(answer.headers).send(answer.stream);
  return reply.send(answer.body);
}

export interface ListSpec<Record extends object, P extends TSchema = TSchema> {
  path: string;
  access: Exclude<Access, 'public'>;
  summary: string;
  tag: string;
  params?: P;
  rules: ListRules;
  /** Rows already presented, with texts of the server in the language; only of companies that the actor sees. */
  list(ctx: Context, actor: Actor, query: ListQuery, params: Static<P>, language: Language): Promise<{ rows: Record[]; total: number }>;
  /** What programs of the public API read beyond the console: the names of members, and rows with them. */
  documented?: { fields: readonly string[]; extend(ctx: Context, actor: Actor, rows: Record[]): Promise<Record[]> };
}
