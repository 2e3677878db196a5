import { finished, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from './type.ts';
import type { Undo } from './undo.ts';
import type { Context } from '../context.ts';
import { assertProgram, type Actor, type Origin, type Access, type TokenRule } from './actor.ts';
import type { Answer } from './answer.ts';
import type { Proof } from './auth/challenges.ts';
import type { Duty } from './auth/required-actions.ts';
import { validatorCompiler, type BodyCheck } from './body-rules.ts';
import type { Cost } from './costly/create-costly.ts';
import { tokenRuleOf } from './route-access.ts';
import { proofMembers, requireSudo, takeProof } from './auth/proof.ts';
import type { JsonSchema } from '../../schemas/kit/form/types.ts';
import { dropUploads, readParts, type Upload } from './http/uploads.ts';
import { UnknownField } from './errors.ts';
import { exactLength } from './exact-length.ts';
import { originOf } from './origin.ts';
import { isProgram, takeProgramBody, warnOfIgnored, type ProgramRules } from './lenient-calls.ts';
import type { ListRules, ListQuery } from './list-query.ts';
import type { Language } from './language.ts';

export interface Call<P, Q, B> {
  ctx: Context;
  params: P;
  query: Q;
  body: B;
  origin: Origin;
  request: FastifyRequest;
  /** Of a route with `cost`: aborted by its deadline and when the caller closes the connection. */
  signal: AbortSignal;
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
  /** The caller chooses how much work it is: one call of a person runs at a time, few in all, with a deadline. */
  cost?: Cost;
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
  /**
   * Has to be said where signing in is enough: scopes name permissions, and such a route asks for none. `none` by default for what is done
   * `onlyInPerson`.
   */
  tokens?: TokenRule;
  /** A GET of the public API that starts or uses up something: only with an access token, because any page can make a browser send a GET of a session. */
  forPrograms?: boolean;
  /** What programs of the public API send and read otherwise than the console. */
  programs?: ProgramRules;
  /** The media type of the answer, for the API description; an envelope in JSON by default. */
  mediaType?: string;
  /** The schema of a success's body, for the API description, where it is no envelope or its type in the code does not say it; see `npm run gen:answers`. */
  answer?: JsonSchema;
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
  cost: Cost | undefined;
  programs: ProgramRules | undefined;
  mediaType: string | undefined;
  answer: JsonSchema | undefined;
  /** The route as which it answers, for those that come and go. */
  answersAs?: string;
  /** Undefined where the permission of the route is the scope that a token needs. */
  tokens: TokenRule | undefined;
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
    tokens?: TokenRule;
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
  const tokens = tokenRuleOf(spec, { url, onlyInPerson });
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
    cost: spec.cost,
    programs: spec.programs,
    mediaType: spec.mediaType,
    answer: spec.answer,
    tokens,
  });
  app.fastify.route({
    method,
    url,
    config: {
      access,
      ...(spec.serves ? { serves: spec.serves } : {}),
      onlyInPerson,
      ...(tokens ? { tokens } : {}),
      takesFiles: maxFileBytes !== undefined,
      takesForm: spec.takesForm === true,
      isRead: !spec.forPrograms,
      rateLimit: rateOf(access, spec.ratePerMinute),
    },
    bodyLimit: spec.bodyLimit ?? (maxFileBytes ?? 0) + DEFAULT_BODY_LIMIT,
    // Answers to changes may hold a secret beside what the caller sent; their compressed length would reveal it.
    ...(method === 'GET' ? {} : { compress: false }),
    // A GET that uses something up is answered once, whole, or not at all.
    ...(spec.forPrograms ? { exposeHeadRoute: false } : {}),
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
      if (body && isProgram(request.actor)) takeProgramBody(request, reply, body as JsonSchema, spec.programs ?? {});
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
      const answer = await app.ctx.costly.run(spec.cost, { personId: request.actor?.userId, response: reply.raw }, (signal) =>
        spec.handler({ ...call, signal } as typeof call & { signal: AbortSignal } & WithActor<A>),
      );
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
  if (!('stream' in answer)) return reply.send(answer.body);
  const { stream, headers } = answer;
  const length = headers['content-length'];
  const body = stream instanceof Readable && length !== undefined ? exactLength(stream, Number(length)) : stream;
  return reply.headers(headers).send(body);
}

export interface ListSpec<Record extends object, P extends TSchema = TSchema> {
  path: string;
  access: Exclude<Access, 'public'>;
  summary: string;
  tag: string;
  params?: P;
  /** See `RouteBase.tokens`. */
  tokens?: TokenRule;
  rules: ListRules;
  /** Rows already presented, with texts of the server in the language; only of companies that the actor sees. */
  list(ctx: Context, actor: Actor, query: ListQuery, params: Static<P>, language: Language): Promise<{ rows: Record[]; total: number }>;
  /** What programs of the public API read beyond the console: the names of members, and rows with them. */
  documented?: {
    fields: readonly string[];
    types?: ProgramRules['types'];
    /** A second name of `meta.total`. */
    total?: string;
    extend(ctx: Context, actor: Actor, rows: Record[]): Promise<object[]>;
  };
}
