import type { Context } from '../../context.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { hashToken } from '../../kernel/auth/tokens.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import type { LiveSession, SessionRow } from './live-session.ts';

/** A process that has said nothing of its sessions for so long is gone, and they with it. */
const LOST_AFTER_MS = 2 * MINUTE;

/** Writes that a session is over, with its bytes, and the history of its device. */
export async function noteEnd(ctx: Context, session: LiveSession, reason: string): Promise<void> {
  const at = ctx.clock.now();
  const bytes = session.bytes();
  await inTransaction(ctx.db, async (trx) => {
    await trx
      .updateTable('remote_sessions')
      .set({ ...bytes, ended_at: at, end_reason: reason, seen_at: at })
      .where('id', '=', session.id)
      .execute();
    await writeAudit(trx, { actor: session.actor, origin: { ip: session.row.ip, requestId: `session-${session.id}`, userAgent: '' }, at }, [
      {
        action: 'devices.disconnect',
        entity: 'device',
        entityId: session.device.id,
        entityName: session.device.name,
        companyId: session.row.company_id,
        before: null,
        after: { session: session.id, reason, entry: session.entry.name, bytes_in: bytes.bytes_in, bytes_out: bytes.bytes_out },
      },
    ]);
  });
}

/** Writes how many bytes sessions have moved so far, which also says that this process has them. */
export async function noteBytes(ctx: Context, sessions: Iterable<LiveSession>): Promise<void> {
  const now = ctx.clock.now();
  for (const session of sessions)
    await ctx.db
      .updateTable('remote_sessions')
      .set({ ...session.bytes(), seen_at: now })
      .where('id', '=', session.id)
      .execute();
}

/** Ends in the database what no process holds any more, and tickets that nobody used. `owner` is this process. */
export async function endLostSessions(ctx: Context, owner: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db
    .updateTable('remote_sessions')
    .set({ ended_at: now, end_reason: 'not-opened', ticket_hash: null })
    .where('ended_at', 'is', null)
    .where('opened_at', 'is', null)
    .where('ticket_expires_at', '<', now)
    .execute();
  await ctx.db
    .updateTable('remote_sessions')
    .set((eb) => ({ ended_at: eb.ref('seen_at'), end_reason: 'server-lost' }))
    .where('ended_at', 'is', null)
    .where('opened_at', 'is not', null)
    .where((eb) =>
      // One process alone has SQLite: whatever another one began is over.
      ctx.config.databaseUrl === undefined ? eb('owner', '!=', owner) : eb('seen_at', '<', now - LOST_AFTER_MS),
    )
    .execute();
}

/** Uses up a ticket; answers its row once. */
export async function takeTicket(ctx: Context, owner: string, ticket: string): Promise<SessionRow | undefined> {
  const now = ctx.clock.now();
  return ctx.db
    .updateTable('remote_sessions')
    .set({ ticket_hash: null, opened_at: now, owner, seen_at: now })
    .where('ticket_hash', '=', hashToken(ticket))
    .where('ticket_expires_at', '>=', now)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Asks the processes that hold these sessions to end them. */
export async function requestEnd(ctx: Context, sessionIds: readonly number[], reason: string): Promise<void> {
  await ctx.db
    .updateTable('remote_sessions')
    .set({ end_requested: reason })
    .where('id', 'in', ctx.database.tools.idList(sessionIds))
    .where('ended_at', 'is', null)
    .execute();
}

/** Ends those of these sessions that no browser has come for yet. */
export async function endUnopened(ctx: Context, sessionIds: readonly number[], reason: string): Promise<void> {
  await ctx.db
    .updateTable('remote_sessions')
    .set({ ended_at: ctx.clock.now(), end_reason: reason, ticket_hash: null })
    .where('id', 'in', ctx.database.tools.idList(sessionIds))
    .where('ended_at', 'is', null)
    .where('opened_at', 'is', null)
    .execute();
}
