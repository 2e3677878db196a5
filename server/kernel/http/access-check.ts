import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { authenticate } from '../auth/authenticate.ts';
import { requireDutiesDone } from '../auth/required-actions.ts';
import { NotFound } from '../errors.ts';
import { checkAccess, checkInPerson, checkTokens } from '../route-access.ts';
import { isApiAddress } from './headers.ts';

/**
 * Finds out who calls and whether they may, before the body is read. Unknown addresses of the API ask for a session like all others,
 * so that nobody can map them; other unknown addresses may only be read (pages and files).
 */
export function registerAccessCheck(fastify: FastifyInstance, ctx: Context): void {
  fastify.addHook('onRequest', async (request) => {
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    if (!request.is404) {
      const { access, serves, onlyInPerson, tokens } = request.routeOptions.config;
      request.actor = await authenticate(ctx, request, access);
      checkAccess(access, request.actor);
      checkTokens(tokens, request.actor);
      checkInPerson(onlyInPerson, request.actor);
      await requireDutiesDone(ctx, request.actor, serves);
      return;
    }
    if (isApiAddress(request.url)) {
      request.actor = await authenticate(ctx, request, 'signed-in');
      checkAccess('signed-in', request.actor);
      throw new NotFound({});
    }
    if (!isReading) throw new NotFound({});
  });
}
