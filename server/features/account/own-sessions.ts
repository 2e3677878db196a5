import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { SessionRequired } from '../../kernel/auth/errors.ts';
import { hashToken } from '../../kernel/auth/tokens.ts';
import { wireTime } from '../../kernel/clock.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import { deviceOf } from '../../kernel/http/user-agent.ts';

type Kept = Pick<Row<'sessions'>, 'id' | 'ip' | 'user_agent' | 'created_at' | 'last_used_at'>;

/** Where a person is signed in. */
export interface SessionView {
  id: number;
  /** Browser and system in words. */
  device: string;
  ip: string;
  /** The one that asks. */
  is_current: boolean;
  last_used_at: string;
  created_at: string;
}

/** The number by which a session is named outside: its id itself goes into what pages must send, so it is given to nobody else. */
export function sessionNumber(id: string): number {
  return Number.parseInt(hashToken(id).slice(0, 12), 16);
}

function presentSession(row: Kept, actor: Actor): SessionView {
  return {
    id: sessionNumber(row.id),
    device: deviceOf(row.user_agent),
    ip: row.ip,
    is_current: row.id === actor.sessionId,
    last_used_at: wireTime(row.last_used_at),
    created_at: wireTime(row.created_at),
  };
}

function ownSessions(ctx: Context, actor: Actor) {
  const now = ctx.clock.now();
  return ctx.db
    .selectFrom('sessions')
    .select(['sessions.id', 'ip', 'user_agent', 'created_at', 'last_used_at'])
    .where('user_id', '=', actor.userId)
    .where('idle_expires_at', '>', now)
    .where('absolute_expires_at', '>', now);
}

/** Where the person is signed in, the latest used first. */
export async function listSessions(ctx: Context, actor: Actor): Promise<SessionView[]> {
  const rows = await ownSessions(ctx, actor).orderBy('last_used_at', 'desc').orderBy('id').execute();
  return rows.map((row) => presentSession(row, actor));
}

async function endThese(ctx: Context, { actor, origin }: Caller, sessions: Kept[]): Promise<void> {
  if (sessions.length === 0) return;
  const ids = sessions.map(({ id }) => id);
  await inTransaction(ctx.db, async (trx) => {
    await trx.deleteFrom('sessions').where('id', 'in', ids).where('user_id', '=', actor.userId).execute();
    const entries = sessions.map(({ ip, user_agent, created_at }) => ({
      action: 'account.session-ended',
      entity: 'user',
      entityId: actor.userId,
      entityName: actor.name,
      companyId: actor.companyId,
      before: { ip, user_agent, created_at },
      after: null,
    }));
    await writeAudit(trx, { actor, origin, at: ctx.clock.now() }, entries);
    afterCommit(trx, () => ids.forEach((sessionId) => ctx.live.closeSockets({ sessionId })));
  });
}

/** Ends one session of the person who calls, at once. Throws NOT_FOUND. */
export async function endOwnSession(ctx: Context, caller: Caller, number: number): Promise<void> {
  const session = (await ownSessions(ctx, caller.actor).execute()).find(({ id }) => sessionNumber(id) === number);
  if (!session) throw new NotFound({});
  await endThese(ctx, caller, [session]);
}

/** Ends all sessions of the person who calls but the one that calls. Throws SESSION_REQUIRED. */
export async function endOtherSessions(ctx: Context, caller: Caller): Promise<void> {
  const { sessionId } = caller.actor;
  if (sessionId === undefined) throw new SessionRequired({});
  const sessions = await ownSessions(ctx, caller.actor).where('sessions.id', '<>', sessionId).execute();
  await endThese(ctx, caller, sessions);
}
