import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { isSecureSite } from '../auth/cookies.ts';
import { securityHeaders } from './security-headers.ts';

/** Whether an address belongs to the API, whose answers are never kept by browsers or proxies. */
export function isApiAddress(url: string): boolean {
  return /^\/+(?:api|status)(?:[/?#;%]|$)/i.test(url);
}

/** Puts the headers of every answer on this one. */
export function addHeaders(ctx: Context, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders({ isHttps: isSecureSite(ctx) }));
  reply.header('x-request-id', request.id);
  if (isApiAddress(request.url)) reply.header('cache-control', 'no-store');
}

/** Security headers and the request's number on every answer, errors and files included. */
export function registerHeaders(fastify: FastifyInstance, ctx: Context): void {
  fastify.addHook('onRequest', async (request, reply) => {
    addHeaders(ctx, request, reply);
  });
}
