import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { NotFound, toAnswer } from '../errors.ts';
import { addHeaders } from './headers.ts';

const OVERLOADED = 503;
const RETRY_AFTER_SECONDS = 5;

function sendError(ctx: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = toAnswer(error, request.id);
  // The address without its query: that may hold a token.
  if (answer.isUnexpected)
    ctx.log.error({ err: error, request_id: request.id, method: request.method, path: request.url.split('?')[0] }, 'request failed');
  if (answer.status === OVERLOADED) reply.header('retry-after', RETRY_AFTER_SECONDS);
  const waitSeconds = answer.items[0]?.code === 'TOO_MANY_REQUESTS' ? answer.items[0].params?.['seconds'] : undefined;
  if (typeof waitSeconds === 'number') reply.header('retry-after', waitSeconds);
  return reply
    .code(answer.status)
    .type('application/json; charset=utf-8')
    .send({ success: false, errors: answer.items, ...(answer.meta ? { meta: answer.meta } : {}) });
}

/** Answers for an address that the router cannot read (`/%zz`): the same as for an unknown one. */
export function sendBadAddress(ctx: Context, error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  addHeaders(ctx, request, reply);
  void sendError(ctx, error.statusCode !== undefined && error.statusCode < 500 ? new NotFound({}) : error, request, reply);
}

/** The one place where a thrown thing becomes an answer. */
export function registerErrorAnswers(fastify: FastifyInstance, ctx: Context): void {
  fastify.setErrorHandler((error, request, reply) => sendError(ctx, error, request, reply));
  fastify.setNotFoundHandler(() => {
    throw new NotFound({});
  });
}
