import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Calls of the page itself, whatever led to it: what a browser says of the navigation is not said of them. */
const NOT_OF_THE_CALL =
  /^(?:accept|accept-encoding|connection|content-.*|host|if-.*|origin|range|referer|sec-.*|transfer-encoding|upgrade.*)$/;

/** A read that a page begins with. */
export interface FirstRead {
  /** Below `/api`. */
  address: string;
  /** The permission that it needs. */
  needs?: string | undefined;
}

const USER = '/user';

/** Whether a read would be refused, as far as the answers tell who asks. Such a read is an attempt that nobody has made. */
export function isForbidden({ needs }: FirstRead, answers: Readonly<Record<string, unknown>>): boolean {
  // The answer of our own route.
  const user = answers[USER] as { data: { permissions: string[] } } | undefined;
  return needs !== undefined && user !== undefined && !user.data.permissions.includes(needs);
}

/**
 * Asks the API's own routes what a page begins with, as the person and from the place that the page is asked from: every check of those routes
 * holds. What needs a permission waits for who it is, and is not asked without. Answers the good ones by address below `/api`.
 */
export async function askFirstReads(
  fastify: FastifyInstance,
  request: FastifyRequest,
  reads: readonly FirstRead[],
): Promise<Record<string, unknown>> {
  const kept = Object.entries(request.headers).filter(([name]) => !NOT_OF_THE_CALL.test(name));
  const headers = {
    ...Object.fromEntries(kept),
    host: request.headers.host,
    accept: 'application/json',
    'x-requested-with': 'XMLHttpRequest',
  };
  const remoteAddress = request.raw.socket.remoteAddress;
  const ask = async (some: readonly FirstRead[]): Promise<Record<string, unknown>> => {
    const found = await Promise.all(
      some.map(async ({ address }): Promise<[string, unknown][]> => {
        const answer = await fastify.inject({ method: 'GET', url: `/api${address}`, headers, ...(remoteAddress ? { remoteAddress } : {}) });
        return answer.statusCode === 200 ? [[address, answer.json()]] : [];
      }),
    );
    return Object.fromEntries(found.flat());
  };
  const own = await ask(reads.filter(({ needs }) => needs === undefined));
  return { ...own, ...(await ask(reads.filter((read) => read.needs !== undefined && !isForbidden(read, own)))) };
}
