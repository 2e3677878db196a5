import type { Context } from '../../context.ts';
import { can } from '../../kernel/actor.ts';
import { findActorAgain } from '../../kernel/auth/find-actor.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { isPresent, seesCompany } from '../../kernel/tenancy.ts';
import { findOpenLink } from './begin-session.ts';
import type { LiveSession } from './live-session.ts';
import { findRemoteRules } from './settings.ts';

interface State {
  id: number;
  end_requested: string | null;
  ended_at: number | null;
  row_company: number;
  entry_id: number | null;
  blocked_at: number | null;
  host: string | null;
  port: number | null;
  company_id: number | null;
  path: string | null;
}

async function readStates(ctx: Context, ids: readonly number[]): Promise<Map<number, State>> {
  const rows = await ctx.reads
    .selectFrom('remote_sessions')
    .leftJoin('remote_entries', 'remote_entries.id', 'remote_sessions.entry_id')
    .leftJoin('devices', 'devices.id', 'remote_sessions.device_id')
    .leftJoin('companies', 'companies.id', 'devices.company_id')
    .select([
      'remote_sessions.id',
      'remote_sessions.end_requested',
      'remote_sessions.ended_at',
      'remote_sessions.company_id as row_company',
      'remote_entries.id as entry_id',
      'remote_entries.blocked_at',
      'remote_entries.host',
      'remote_entries.port',
      'devices.company_id',
      'companies.path',
    ])
    .where('remote_sessions.id', 'in', ctx.database.tools.idList(ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

async function mayGoOn(ctx: Context, session: LiveSession, company: { id: number; path: string }): Promise<boolean> {
  const actor = await findActorAgain(ctx, session.actor);
  if (!actor || actor.userId !== session.actor.userId || actor.companyId !== session.actor.companyId) return false;
  const { link_id: linkId } = session.row;
  if (linkId !== null) return (await findOpenLink(ctx, linkId)) !== undefined;
  if (session.hasClipboard && !can(actor, 'use_remote_clipboard')) return false;
  return can(actor, 'execute_device_remote_access') && seesCompany(actor, company);
}

/** Why a session that is open has to end now; undefined when it may go on. */
async function reasonToEnd(ctx: Context, session: LiveSession, state: State | undefined): Promise<string | undefined> {
  const now = ctx.clock.now();
  if (!state || state.ended_at !== null) return 'killed';
  if (state.end_requested !== null) return state.end_requested;
  if (now >= session.expiresAt) return 'expired';
  if (state.company_id === null || state.path === null || !isPresent(state.path)) return 'device-removed';
  if (state.company_id !== state.row_company) return 'device-moved';
  if (state.entry_id === null) return 'entry-removed';
  if (state.host !== session.entry.host || state.port !== session.entry.port) return 'entry-changed';
  if (state.blocked_at !== null) return 'blocked';
  if (!(await mayGoOn(ctx, session, { id: state.company_id, path: state.path }))) return 'right-lost';
  const { idle_minutes } = await findRemoteRules(ctx.reads, state.path);
  return now - session.lastActiveAt() > idle_minutes * MINUTE ? 'idle' : undefined;
}

/** Looks at every session again and ends those whose ground is gone. */
export async function recheckSessions(ctx: Context, sessions: readonly LiveSession[]): Promise<void> {
  if (sessions.length === 0) return;
  const states = await readStates(
    ctx,
    sessions.map(({ id }) => id),
  );
  for (const session of sessions) {
    const reason = await reasonToEnd(ctx, session, states.get(session.id));
    if (reason !== undefined) session.end(reason);
  }
}
