import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { PermissionName } from '../../schemas/_generated/contract.ts';
import type { Context } from '../context.ts';
import { can, type Actor, type Origin } from './actor.ts';
import type { Answer } from './answer.ts';
import { Forbidden, Unauthorized } from './errors.ts';

/** Who may call: holders of a permission, anybody signed in, or everybody. There is no default. */
export type Access = { permission: PermissionName } | { anyOf: [PermissionName, ...PermissionName[]] } | 'signed-in' | 'public';

export interface Call<P, Q, B> {
  ctx: Context;
  params: P;
  query: Q;
  body: B;
  origin: Origin;
  request: FastifyRequest;
  /** Only to set cookies; answers are returned. */
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
  /** Accepts query members beside the declared ones; the handler checks them (lists do). */
  hasOwnQueryCheck?: boolean;
  /** Bytes; 1 MiB unless told. */
  bodyLimit?: number;
  /** Calls per minute from one address. */
  ratePerMinute?: number;
}

export type RouteSpec<P extends TSchema = TSchema, Q extends TSchema = TSchema, B extends TSchema = TSchema> = RouteBase<P, Q, B> &
  (
    | { access: 'public'; handler(call: Call<Static<P>, Static<Q>, Static<B>>): Promise<Answer> }
    | { access: Exclude<Access, 'public'>; handler(call: Call<Static<P>, Static<Q>, Static<B>> & { actor: Actor }): Promise<Answer> }
  );

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
}

/** What a room registers itself on. */
export interface App {
  fastify: FastifyInstance;
  ctx: Context;
  routes: RouteInfo[];
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    actor: Actor | undefined;
  }
}

const NO_BODY_LIMIT = 1024 * 1024;

function isAllowed(actor: Actor, access: Exclude<Access, 'public'>): boolean {
  if (access === 'signed-in') return true;
  if ('permission' in access) return can(actor, access.permission);
  return access.anyOf.some((permission) => can(actor, permission));
}

/** Throws UNAUTHORIZED or FORBIDDEN; runs before the body is read, for every route of the server. */
export function checkAccess(access: Access | undefined, actor: Actor | undefined): void {
  if (access === undefined) throw new Forbidden({});
  if (access === 'public') return;
  if (!actor) throw new Unauthorized({});
  if (!isAllowed(actor, access)) throw new Forbidden({});
}

/** Registers a route. One that does not say who may call it does not start. Throws Error naming the route. */
export function route<P extends TSchema, Q extends TSchema, B extends TSchema>(app: App, spec: RouteSpec<P, Q, B>): void {
  const url = spec.atRoot ? spec.path : `/api${spec.path}`;
  const declared: Access | undefined = spec.access;
  if (!declared)
    throw new Error(
      `Route ${(spec as { method: string }).method} ${url} declares no permission; say { permission: '…' }, 'signed-in' or 'public'`,
    );
  app.routes.push({
    method: spec.method,
    path: url,
    access: spec.access,
    summary: spec.summary,
    tag: spec.tag,
    params: spec.params,
    query: spec.query,
    body: spec.body,
  });
  app.fastify.route({
    method: spec.method,
    url,
    config: { access: spec.access, ...(spec.ratePerMinute ? { rateLimit: { max: spec.ratePerMinute, timeWindow: '1 minute' } } : {}) },
    bodyLimit: spec.bodyLimit ?? NO_BODY_LIMIT,
    schema: {
      ...(spec.params ? { params: spec.params } : {}),
      ...(spec.query && !spec.hasOwnQueryCheck ? { querystring: spec.query } : {}),
      ...(spec.body ? { body: spec.body } : {}),
    },
    handler: async (request, reply) => {
      const call = {
        ctx: app.ctx,
        params: request.params as Static<P>,
        query: request.query as Static<Q>,
        body: request.body as Static<B>,
        origin: originOf(request),
        request,
        reply,
      };
      return send(reply, await answerOf(spec, call, request.actor));
    },
  });
}

function answerOf<P extends TSchema, Q extends TSchema, B extends TSchema>(
  spec: RouteSpec<P, Q, B>,
  call: Call<Static<P>, Static<Q>, Static<B>>,
  actor: Actor | undefined,
): Promise<Answer> {
  if (spec.access === 'public') return spec.handler(call);
  if (!actor) throw new Unauthorized({});
  return spec.handler({ ...call, actor });
}

/** Address, request number and program of the caller. */
export function originOf(request: FastifyRequest): Origin {
  return { ip: request.ip, requestId: request.id, userAgent: String(request.headers['user-agent'] ?? '').slice(0, 300) };
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status);
  if ('stream' in answer) return reply.headers(answer.headers).send(answer.stream);
  return reply.send(answer.body);
}
