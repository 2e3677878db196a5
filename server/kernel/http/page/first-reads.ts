import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Calls of the page itself, whatever led to it: what a browser says of the navigation is not said of them. */
const NOT_OF_THE_CALL =
  /^(?:accept|accept-encoding|connection|content-.*|host|if-.*|origin|range|referer|sec-.*|transfer-encoding|upgrade.*)$/;

/**
 * Asks the API's own routes what a page begins with, as the person and from the place that the page is asked from: every check of those routes
 * holds. Answers the good ones by address below `/api`.
 */
export async function askFirstReads(
  fastify: FastifyInstance,
  request: FastifyRequest,
  addresses: readonly string[],
): Promise<Record<string, unknown>> {
  const kept = Object.entries(request.headers).filter(([name]) => !NOT_OF_THE_CALL.test(name));
  const headers = {
    ...Object.fromEntries(kept),
    host: request.headers.host,
    accept: 'application/json',
    'x-requested-with': 'XMLHttpRequest',
  };
  const remoteAddress = request.raw.socket.remoteAddress;
  const found = await Promise.all(
    addresses.map(async (address): Promise<[string, unknown][]> => {
      const answer = await fastify.inject({ method: 'GET', url: `/api${address}`, headers, ...(remoteAddress ? { remoteAddress } : {}) });
      return answer.statusCode === 200 ? [[address, answer.json()]] : [];
    }),
  );
  return Object.fromEntries(found.flat());
}
