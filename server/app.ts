import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { ok } from './kernel/answer.ts';
import type { Context } from './context.ts';
import { NotFound, toAnswer } from './kernel/errors.ts';
import { registerBodyRules } from './kernel/body-rules.ts';
import { route, type App } from './kernel/route.ts';

const REQUEST_TIMEOUT_MS = 120_000;

/** Builds the HTTP side of the server: hooks in their order, then each room. Listening is the caller's. */
export async function buildApp(ctx: Context): Promise<App> {
  const fastify: FastifyInstance = Fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    disableRequestLogging: true,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: ctx.config.trustProxy.length > 0 ? ctx.config.trustProxy : false,
    bodyLimit: 1024 * 1024,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { ignoreTrailingSlash: true },
    forceCloseConnections: true,
  });
  const app: App = { fastify, ctx, routes: [] };
  fastify.decorateRequest('actor', undefined);
  fastify.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  fastify.setErrorHandler((error, request, reply) => {
    const answer = toAnswer(error, request.id);
    if (answer.isUnexpected) ctx.log.error({ err: error, request_id: request.id, url: request.url }, 'request failed');
    return reply.code(answer.status).send({ success: false, errors: answer.items, ...(answer.meta ? { meta: answer.meta } : {}) });
  });
  fastify.setNotFoundHandler(() => {
    throw new NotFound({});
  });
  registerBodyRules(fastify);

  route(app, {
    method: 'GET',
    path: '/health',
    atRoot: true,
    access: 'public',
    summary: 'Whether the server is up.',
    tag: 'system',
    handler: async () => ok({ status: 'ok' }),
  });
  return app;
}
