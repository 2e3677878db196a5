import { sql } from 'kysely';
import type { Impersonation } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller, Origin } from '../../kernel/actor.ts';
import { applyListQuery, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { SessionRequired } from '../../kernel/auth/errors.ts';
import { createSession, takeActingSession, type SessionTokens } from '../../kernel/auth/sessions.ts';
import { wireTime } from '../../kernel/clock.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { NotFound, Unauthorized } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { ImpersonationNotAllowed } from './errors.ts';
import { logExpired } from './log-expired.ts';
import { findSubject, mayActFor } from './impersonated-user.ts';

const state = sql<Impersonation['state']>`case when impersonation_requests.confirmed_at is null then 'waiting' else 'allowed' end`;
const columns: ListColumns = {
  id: sql.ref('impersonation_requests.id'),
  sorts: { created_at: { by: sql.ref('impersonation_requests.created_at') } },
  filters: { state: (values) => isOneOf(state, values) },
};

/** One page of the users whom the actor has asked and may impersonate, or waits for, as long as that lasts. */
export async function listOwnRequests(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: Impersonation[]; total: number }> {
  const base = ctx.reads
    .selectFrom('impersonation_requests')
    .innerJoin('users', 'users.id', 'impersonation_requests.user_id')
    .innerJoin('companies', 'companies.id', 'impersonation_requests.company_id')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.user_id', '=', 'impersonation_requests.user_id')
        .onRef('memberships.company_id', '=', 'impersonation_requests.company_id'),
    )
    .where('impersonation_requests.requested_by', '=', actor.userId)
    .where('impersonation_requests.expires_at', '>', ctx.clock.now())
    .where(isVisible(actor, 'memberships'))
    .select(['impersonation_requests.id', 'impersonation_requests.user_id', 'users.username', 'users.email', state.as('state')])
    .select(['impersonation_requests.company_id', 'companies.name as company_name', 'impersonation_requests.reason'])
    .select(['impersonation_requests.expires_at', 'impersonation_requests.created_at']);
  const { rows, total } = await applyListQuery(base, query, columns);
  return {
    rows: rows.map((row) => ({ ...row, expires_at: wireTime(row.expires_at), created_at: wireTime(row.created_at) })),
    total,
  };
}

/**
 * Starts impersonating a user who has agreed, in a new session that ends with the consent; the own session waits. Throws NOT_FOUND,
 * SESSION_REQUIRED for access tokens, and IMPERSONATION_NOT_ALLOWED without consent, after its time, or for a user with rights that the actor has not.
 */
export async function startImpersonation(ctx: Context, { actor, origin }: Caller, requestId: number): Promise<SessionTokens> {
  const { sessionId } = actor;
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const request = await trx
      .selectFrom('impersonation_requests')
      .selectAll()
      .where('id', '=', requestId)
      .where('requested_by', '=', actor.userId)
      .executeTakeFirst();
    const subject = request && (await findSubject(trx, actor, request.user_id, request.company_id));
    if (!request || !subject) throw new NotFound({});
    if (sessionId === undefined) throw new SessionRequired({});
    const until = Math.min(request.expires_at, subject.until ?? 0);
    if (request.confirmed_at === null || until <= at || !(await mayActFor(trx, actor, subject))) throw new ImpersonationNotAllowed({});
    const tokens = await createSession(ctx, trx, {
      userId: actor.userId,
      origin,
      now: at,
      companyId: subject.company_id,
      behalf: { userId: subject.id, ownSessionId: sessionId, until },
    });
    const log = { user_id: subject.id, company_id: subject.company_id, reason: request.reason, ip: origin.ip, expires_at: until };
    await trx
      .insertInto('impersonation_logs')
      .values({
        ...log,
        actor_id: actor.userId,
        actor_name: actor.name,
        user_name: subject.username,
        session_id: tokens.sessionId,
        started_at: at,
        ended_at: null,
      })
      .execute();
    const entry = { entity: 'user', entityId: subject.id, entityName: subject.username, companyId: subject.company_id, before: null };
    await writeAudit(trx, { actor: { ...actor, onBehalfOf: subject.id }, origin, at }, [
      { ...entry, action: 'impersonation.start', after: log },
    ]);
    return tokens;
  });
}

/** Puts a session under a new id in the place of the own one that waits; undefined when that is over. */
async function wakeOwnSession(
  ctx: Context,
  trx: Trx,
  acting: Pick<Row<'sessions'>, 'user_id' | 'own_session_id'>,
  origin: Origin,
): Promise<SessionTokens | undefined> {
  const at = ctx.clock.now();
  const own = await trx
    .deleteFrom('sessions')
    .where('id', '=', acting.own_session_id)
    .where('user_id', '=', acting.user_id)
    .where('on_behalf_of', 'is', null)
    .where('absolute_expires_at', '>', at)
    .where('idle_expires_at', '>', at)
    .returning(['id', 'company_id', 'absolute_expires_at', 'password_confirmed_at'])
    .executeTakeFirst();
  if (!own) return undefined;
  afterCommit(trx, () => ctx.live.closeSockets({ sessionId: own.id }));
  const next = await createSession(ctx, trx, { userId: acting.user_id, origin, now: at, companyId: own.company_id });
  const { absolute_expires_at, password_confirmed_at } = own;
  await trx.updateTable('sessions').set({ absolute_expires_at, password_confirmed_at }).where('id', '=', next.sessionId).execute();
  return next;
}

/**
 * Goes back from impersonating somebody to the own session, which gets a new id, by the refresh token of the impersonated session, ended or not: it works
 * once. Throws UNAUTHORIZED when that is none, or the own session is over.
 */
export async function stopImpersonation(ctx: Context, refresh: string, origin: Origin): Promise<SessionTokens> {
  const at = ctx.clock.now();
  const tokens = await inTransaction(ctx.db, async (trx) => {
    const acting = await takeActingSession(trx, refresh, at);
    if (!acting) return undefined;
    await logExpired(trx, at);
    const [person, subject] = await Promise.all(
      [acting.user_id, acting.on_behalf_of].map((id) =>
        trx.selectFrom('users').select(['id', 'username']).where('id', '=', id).executeTakeFirst(),
      ),
    );
    const actor = { userId: acting.user_id, name: person?.username ?? '', onBehalfOf: acting.on_behalf_of, tokenName: null };
    const about = { entity: 'user', entityId: acting.on_behalf_of, entityName: subject?.username ?? '', companyId: acting.company_id };
    await writeAudit(trx, { actor, origin, at }, [{ ...about, action: 'impersonation.cancel', before: null, after: null }]);
    afterCommit(trx, () => ctx.live.closeSockets({ sessionId: acting.id }));
    return wakeOwnSession(ctx, trx, acting, origin);
  });
  if (!tokens) throw new Unauthorized({});
  return tokens;
}
