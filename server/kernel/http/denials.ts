import type { FastifyRequest } from 'fastify';
import type { PermissionName } from '../../../schemas/_generated/contract.ts';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import { writeAudit } from '../audit.ts';
import { MINUTE } from '../clock.ts';
import { inTransaction } from '../db/database.ts';
import { createLimiter } from '../limiter.ts';
import { originOf } from '../origin.ts';
import { isAllowed } from '../route-access.ts';
import { type Access } from '../actor.ts';

const DENIED = 403;
/** Codes of refusals that only ask for something more. A wrong code has a row of its own. */
const ASKS: ReadonlySet<string> = new Set([
  'MFA_REQUIRED',
  'MFA_MANDATORY',
  'EMAIL_NOT_VERIFIED',
  'TERMS_NOT_ACCEPTED',
  'CONFIRMATION_FAILED',
]);

/** The permissions of a route that the caller was refused for want of; none when it was for something else. */
function missingFor({ actor, routeOptions }: FastifyRequest): PermissionName[] {
  const access: Access = routeOptions.config.access ?? 'public';
  if (!actor || access === 'public' || access === 'signed-in' || isAllowed(actor, access)) return [];
  return 'permission' in access ? [access.permission] : access.anyOf;
}

/**
 * Notes attempts that were denied: each in the log; in the history once a minute for the same person, call and reason, so that a program that goes
 * on trying does not fill it. Never rejects.
 */
export function createDenials(ctx: Context) {
  const first = createLimiter({ max: 1, windowMs: MINUTE, now: () => ctx.clock.now() });

  async function keep(request: FastifyRequest, { code, params }: ErrorItem): Promise<void> {
    const { actor, method } = request;
    const path = request.routeOptions.url ?? '';
    if (!actor || !first.take(`${actor.userId} ${actor.onBehalfOf ?? ''} ${method} ${path} ${code}`)) return;
    const missing = missingFor(request);
    const after = { ...params, call: `${method} ${path}`, reason: code, ...(missing.length > 0 ? { missing } : {}) };
    const who = { entity: 'user', entityId: actor.userId, entityName: actor.name, companyId: actor.companyId };
    await inTransaction(ctx.db, (trx) =>
      writeAudit(trx, { actor, origin: originOf(request), at: ctx.clock.now() }, [
        { ...who, action: 'account.denied', before: null, after },
      ]),
    );
  }

  return async (request: FastifyRequest, { status, items }: { status: number; items: ErrorItem[] }): Promise<void> => {
    const [reason] = items;
    if (status !== DENIED || !reason || ASKS.has(reason.code)) return;
    const { actor, id, method, ip } = request;
    // The address without its query: that may hold a token.
    const path = request.url.split('?')[0];
    const on_behalf_of = actor?.onBehalfOf ?? undefined;
    ctx.log.warn({ request_id: id, method, path, reason: reason.code, ip, user_id: actor?.userId, on_behalf_of }, 'an attempt was denied');
    await keep(request, reason).catch((error: unknown) =>
      ctx.log.error({ err: error, request_id: id }, 'a denied attempt could not be kept'),
    );
  };
}
