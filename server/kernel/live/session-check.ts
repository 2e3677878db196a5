import type { Context } from '../../context.ts';

/** Of these sessions, the ones that are over: signed out, expired and not renewed, or of a disabled user. */
export async function findEndedSessions(ctx: Pick<Context, 'reads' | 'clock'>, ids: readonly string[]): Promise<string[]> {
  const alive = new Set<string>();
  const CHUNK = 500;
  for (let start = 0; start < ids.length; start += CHUNK) {
    const rows = await ctx.reads
      .selectFrom('sessions')
      .innerJoin('memberships', (join) =>
        join
          .on((eb) => eb('memberships.user_id', '=', eb.fn.coalesce('sessions.on_behalf_of', 'sessions.user_id')))
          .onRef('memberships.company_id', '=', 'sessions.company_id'),
      )
      .select('sessions.id')
      .where('sessions.id', 'in', ids.slice(start, start + CHUNK))
      .where('memberships.disabled_at', 'is', null)
      .where('sessions.access_expires_at', '>', ctx.clock.now())
      .where('sessions.absolute_expires_at', '>', ctx.clock.now())
      .execute();
    for (const row of rows) alive.add(row.id);
  }
  return ids.filter((id) => !alive.has(id));
}

/** Of these access tokens, the ones that are over: revoked, expired, or of somebody who is disabled or gone. */
export async function findEndedTokens(ctx: Pick<Context, 'reads' | 'clock'>, ids: readonly number[]): Promise<number[]> {
  const alive = new Set<number>();
  const CHUNK = 500;
  for (let start = 0; start < ids.length; start += CHUNK) {
    const rows = await ctx.reads
      .selectFrom('access_tokens')
      .innerJoin('memberships', (join) =>
        join.onRef('memberships.user_id', '=', 'access_tokens.user_id').onRef('memberships.company_id', '=', 'access_tokens.company_id'),
      )
      .select('access_tokens.id')
      .where('access_tokens.id', 'in', ids.slice(start, start + CHUNK))
      .where('memberships.disabled_at', 'is', null)
      .where('access_tokens.expires_at', '>', ctx.clock.now())
      .where((eb) =>
        eb.or([eb('access_tokens.access_expires_at', 'is', null), eb('access_tokens.access_expires_at', '>', ctx.clock.now())]),
      )
      .execute();
    for (const row of rows) alive.add(row.id);
  }
  return ids.filter((id) => !alive.has(id));
}
