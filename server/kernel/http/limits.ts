import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { Overloaded, TooManyRequests } from '../errors.ts';

/** Above this the server answers 503 until it has caught up. */
const MAX_EVENT_LOOP_DELAY_MS = 2500;
const KEPT_CALLERS = 20_000;

/** Rate limits (429 with Retry-After) and protection from overload (503 with Retry-After). */
export async function registerLimits(fastify: FastifyInstance): Promise<void> {
  await fastify.register(underPressure, {
    maxEventLoopDelay: MAX_EVENT_LOOP_DELAY_MS,
    exposeStatusRoute: false,
    pressureHandler: (_request, _reply, _type, delayMs) => {
      // @NOTE Right after the start no delay has been sampled yet, which the plugin reports as Infinity: that is no overload.
      if (Number.isFinite(delayMs)) throw new Overloaded({});
    },
  });
  await fastify.register(rateLimit, {
    global: false,
    cache: KEPT_CALLERS,
    keyGenerator: (request) => (request.actor ? `user ${request.actor.userId}` : request.ip),
    errorResponseBuilder: (_request, { ttl }) => new TooManyRequests({ seconds: Math.max(1, Math.ceil(ttl / 1000)) }),
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  });
}
