import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import { CallerLeft } from '../costly/create-costly.ts';
import { isSecureSite } from '../auth/cookies.ts';
import { NotFound, toAnswer } from '../errors.ts';
import { isProgram } from '../lenient-calls.ts';
import { cookieOverflow } from './cookie-overflow.ts';
import { createDenials } from './denials.ts';
import { addHeaders } from './headers.ts';
import { securityHeaders } from './security-headers.ts';

const OVERLOADED = 503;
const RETRY_AFTER_SECONDS = 5;
const BAD_REQUEST = 400;
const UNPROCESSABLE = 422;
const REST_WITHIN_MS = 2000;

/** Programs of the public API know fields that are wrong by 422, and the first error by a `code` and a `message` beside the list of all. */
function forProgram({ status, items }: { status: number; items: ErrorItem[] }, request: FastifyRequest) {
  const isAboutField = status === BAD_REQUEST && request.method !== 'GET' && items.some((item) => item.source !== undefined);
  return {
    status: isAboutField && isProgram(request.actor) ? UNPROCESSABLE : status,
    // Also where the token is wrong: only programs send one.
    first: request.headers.authorization === undefined ? {} : { code: items[0]?.code, message: items[0]?.message },
  };
}

function sendError(ctx: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = toAnswer(error, request.id);
  // The address without its query: that may hold a token.
  const of = { request_id: request.id, method: request.method, path: request.url.split('?')[0] };
  // Callers who hang up in the middle of a body are no fault of ours, and could fill the log.
  const isCutOff = error instanceof CallerLeft || (request.raw.destroyed && !request.raw.complete);
  if (answer.isUnexpected && isCutOff) ctx.log.debug(of, 'the caller hung up');
  else if (answer.isUnexpected) ctx.log.error({ err: error, ...of }, 'request failed');
  if (answer.status === OVERLOADED) reply.header('retry-after', RETRY_AFTER_SECONDS);
  const waitSeconds = answer.items[0]?.code === 'TOO_MANY_REQUESTS' ? answer.items[0].params?.['seconds'] : undefined;
  if (typeof waitSeconds === 'number') reply.header('retry-after', waitSeconds);
  const { status, first } = forProgram(answer, request);
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send({ success: false, ...first, errors: answer.items, ...(answer.meta ? { meta: answer.meta } : {}) });
}

/** Answers for an address that the router cannot read (`/%zz`): the same as for an unknown one. */
export function sendBadAddress(ctx: Context, error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  addHeaders(ctx, request, reply);
  void sendError(ctx, error.statusCode !== undefined && error.statusCode < 500 ? new NotFound({}) : error, request, reply);
}

/** Answers for bytes that are no HTTP request, or one with too many cookies; no route has seen them. */
export function answerMalformed(ctx: Context, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  const isTooLong = error.code === 'HPE_HEADER_OVERFLOW';
  const body = isTooLong ? cookieOverflow.body : JSON.stringify({ success: false, errors: new NotFound({}).items });
  const headers = {
    ...securityHeaders({ isHttps: isSecureSite(ctx) }),
    ...(isTooLong ? cookieOverflow.headers : { 'content-type': 'application/json; charset=utf-8' }),
    connection: 'close',
  };
  const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)) }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const status = isTooLong ? '431 Request Header Fields Too Large' : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () => {
    if (!isTooLong) return void socket.destroy();
    // The rest of the request is still coming: who is cut off while sending does not read the answer.
    const late = setTimeout(() => socket.destroy(), REST_WITHIN_MS);
    socket.on('close', () => clearTimeout(late));
    return undefined;
  });
}

/** The one place where a thrown thing becomes an answer. */
export function registerErrorAnswers(fastify: FastifyInstance, ctx: Context): void {
  const noteDenied = createDenials(ctx);
  fastify.setErrorHandler(async (error, request, reply) => {
    await noteDenied(request, toAnswer(error, request.id));
    return sendError(ctx, error, request, reply);
  });
}
