import type { FastifyRequest } from 'fastify';
import type { Origin } from './actor.ts';

/** Address, request number and program of the caller. */
export function originOf(request: FastifyRequest): Origin {
  return { ip: request.ip, requestId: request.id, userAgent: String(request.headers['user-agent'] ?? '').slice(0, 300) };
}
