import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import { isSecureSite } from '../auth/cookies.ts';
import { NotFound, toAnswer } from '../errors.ts';
import { isProgram } from '../lenient-calls.ts';
import { createDenials } from './denials.ts';
import { addHeaders } from './headers.ts';
import { securityHeaders } from './security-headers.ts';

const OVERLOADED = 503;
const RETRY_AFTER_SECONDS = 5;
const BAD_REQUEST = 400;
const UNPROCESSABLE = 422;

/** Programs of the public API know fields that are wrong by 422, and the first fault by a `code` beside the list of all. */
function forProgram({ status, items }: { status: number; items: ErrorItem[] }, request: FastifyRequest) {
  const isAboutField = status === BAD_REQUEST && request.method !== 'GET' && items.some((item) => item.source !== undefined);
  return {
    status: isAboutField && isProgram(request.actor) ? UNPROCESSABLE : status,
    // Also where the token is wrong: only programs send one.
    code: request.headers.authorization === undefined ? {} : { code: items[0]?.code },
  };
}

function sendError(ctx: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = toAnswer(error, request.id);
  // The address without its query: that may hold a token.
  const of = { request_id: request.id, method: request.method, path: request.url.split('?')[0] };
  // Callers who hang up in the middle of a body are no fault of ours, and could fill the log.
  const isCutOff = request.raw.destroyed && !request.raw.complete;
  if (answer.isUnexpected && isCutOff) ctx.log.debug(of, 'the caller hung up');
  else if (answer.isUnexpected) ctx.log.error({ err: error, ...of }, 'request failed');
  if (answer.status === OVERLOADED) reply.header('retry-after', RETRY_AFTER_SECONDS);
  const waitSeconds = answer.items[0]?.code === 'TOO_MANY_REQUESTS' ? answer.items[0].params?.['seconds'] : undefined;
  if (typeof waitSeconds === 'number') reply.header('retry-after', waitSeconds);
  const { status, code } = forProgram(answer, request);
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send({ success: false, ...code, errors: answer.items, ...(answer.meta ? { meta: answer.meta } : {}) });
}

/** Answers for an address that the router cannot read (`/%zz`): the same as for an unknown one. */
export function sendBadAddress(ctx: Context, error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  addHeaders(ctx, request, reply);
  void sendError(ctx, error.statusCode !== undefined && error.statusCode < 500 ? new NotFound({}) : error, request, reply);
}

/** Answers for bytes that are no HTTP request; no route has seen them. */
export function answerMalformed(ctx: Context, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  const body = JSON.stringify({ success: false, errors: new NotFound({}).items });
  const headers = {
    ...securityHeaders({ isHttps: isSecureSite(ctx) }),
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
  };
  const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)) }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

/** The one place where a thrown thing becomes an answer. */
export function registerErrorAnswers(fastify: FastifyInstance, ctx: Context): void {
  const noteDenied = createDenials(ctx);
  fastify.setErrorHandler(async (error, request, reply) => {
    await noteDenied(request, toAnswer(error, request.id));
    return sendError(ctx, error, request, reply);
  });
}
