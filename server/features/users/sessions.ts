import type { Context } from '../../context.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import { deviceOf } from '../../kernel/http/user-agent.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { endUserSessions } from './end-sessions.ts';
import { findUsers, findVisibleMembers } from './repo.ts';
import { assertMayChange, auditMember } from './service.ts';

const MAX_SHOWN = 50;

/** Where somebody else is signed in, as far as the caller sees the companies. */
export interface UserSession {
  /** Browser and system in words. */
  device: string;
  ip: string;
  company_name: string;
  last_used_at: string;
  created_at: string;
}

/** Where a user is signed in: only in companies that the actor sees, and never the sessions in which others act for them. Throws NOT_FOUND. */
export async function listUserSessions(ctx: Context, actor: Actor, id: number): Promise<UserSession[]> {
  if ((await findUsers(ctx.reads, actor, [id])).length === 0) throw new NotFound({});
  const now = ctx.clock.now();
  const rows = await ctx.reads
    .selectFrom('sessions')
    .innerJoin('companies', 'companies.id', 'sessions.company_id')
    .select(['sessions.ip', 'sessions.user_agent', 'sessions.created_at', 'sessions.last_used_at', 'companies.name'])
    .where('sessions.user_id', '=', id)
    .where('sessions.on_behalf_of', 'is', null)
    .where('sessions.idle_expires_at', '>', now)
    .where('sessions.absolute_expires_at', '>', now)
    .where(isVisible(actor, 'companies'))
    .orderBy('sessions.last_used_at', 'desc')
    .orderBy('sessions.id')
    .limit(MAX_SHOWN)
    .execute();
  return rows.map((row) => ({
    device: deviceOf(row.user_agent),
    ip: row.ip,
    company_name: row.name,
    last_used_at: wireTime(row.last_used_at),
    created_at: wireTime(row.created_at),
  }));
}

/** Signs a user out of every company that the actor sees. Throws NOT_FOUND, OWN_ACCOUNT, FORBIDDEN. */
export async function endSessionsOfUser(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const members = await findVisibleMembers(trx, caller.actor, id);
    if (members.length === 0) throw new NotFound({});
    for (const member of members) {
      await assertMayChange(trx, caller.actor, member);
      await endUserSessions(ctx, trx, id, member.member.company_id);
      await auditMember(trx, caller, ctx.clock.now(), { action: 'users.end-sessions', before: member, after: member });
    }
  });
}
