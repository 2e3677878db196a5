import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { isProgram } from '../lenient-calls.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False for a GET that starts or uses up something. */
    isRead?: boolean;
  }
}

/**
 * Programs that read a list or a record again and again get the `ETag` of what they read, and 304 without a body while it is the same (RFC 9110, 8.8.3 and
 * 13.1.2). The record is read all the same: what is saved is the line.
 */
export function registerRecordTags(fastify: FastifyInstance): void {
  fastify.addHook<string>('onSend', async (request, reply, payload) => {
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    const { isRead = true } = request.routeOptions.config;
    if (
      !isReading ||
      !isRead ||
      reply.statusCode !== 200 ||
      typeof payload !== 'string' ||
      !isProgram(request.actor) ||
      reply.hasHeader('etag')
    )
      return payload;
    const tag = `"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`;
    reply.header('etag', tag);
    const known = request.headers['if-none-match']?.split(',').map((text) => text.trim().replace(/^W\//, '')) ?? [];
    if (!known.includes(tag) && !known.includes('*')) return payload;
    reply.code(304).removeHeader('content-type').removeHeader('content-length');
    return '';
  });
}
