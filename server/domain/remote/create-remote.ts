import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Context, Part } from '../../context.ts';
import type { OpenTunnelHub } from '../../edges/tunnel/types.ts';
import type { Actor } from '../../kernel/actor.ts';
import { findActorAgain } from '../../kernel/auth/find-actor.ts';
import { MINUTE, SECOND } from '../../kernel/clock.ts';
import { deviceDataLeft } from '../data-left.ts';
import { beginSession, findEntry } from './begin-session.ts';
import { assertConsent } from './consent.ts';
import { NoDataLeft } from './errors.ts';
import { makeLiveSession, type LiveSession } from './live-session.ts';
import { recheckSessions } from './recheck.ts';
import { findRemoteRules, isRecorded } from './settings.ts';
import { createTunnelCarrier } from './tunnel-carrier.ts';
import { attachStreams, STREAM_PATH } from './stream-endpoint.ts';
import { endLostSessions, endUnopened, noteBytes, noteEnd, requestEnd, takeTicket } from './session-rows.ts';
import type { KindOptions, Remote, RemoteDevice, RemoteHandler, RemoteKind } from './types.ts';
import { createWays } from './ways.ts';

const RECHECK_MS = 1 * SECOND;
const NOTE_MS = 10 * SECOND;
const SWEEP_MS = MINUTE;
const LIVE_PATH = '/status/socket.io';
const DEFAULT_SIZE = { cols: 80, rows: 24 };

/** Throws REMOTE_NO_DATA where nothing is left that bytes could be taken off. */
async function assertHasData(ctx: Context, device: RemoteDevice): Promise<void> {
  if (!ctx.config.hasResources) return;
  const { pack = 0, company } = await deviceDataLeft(ctx.reads, device, ctx.clock.now());
  if (pack + company > 0) return;
  const { name } = await ctx.reads.selectFrom('companies').select('name').where('id', '=', device.company_id).executeTakeFirstOrThrow();
  throw new NoDataLeft({ company: name });
}

/** The broker of remote sessions. */
export function createRemote(ctx: Context, openHub: OpenTunnelHub): Remote & Part {
  const owner = randomUUID();
  const handlers = new Map<RemoteKind, { handler: RemoteHandler; options: KindOptions }>();
  const tunnels = createTunnelCarrier(ctx, openHub);
  const ways = createWays(ctx, tunnels);
  const live = new Map<number, LiveSession>();
  const ending = new Set<Promise<void>>();
  const stops: (() => void)[] = [];
  let isStopped = false;

  function ended(session: LiveSession, reason: string): void {
    live.delete(session.id);
    const work = noteEnd(ctx, session, reason)
      .catch((error: unknown) => ctx.log.error({ err: error, session: session.id }, 'the end of a remote session could not be written'))
      .finally(() => ending.delete(work));
    ending.add(work);
  }

  async function enter(ticket: string, caller: Actor | undefined, size = DEFAULT_SIZE): Promise<LiveSession | undefined> {
    const row = isStopped ? undefined : await takeTicket(ctx, owner, ticket);
    if (!row) return undefined;
    const actor = await findActorAgain(ctx, { sessionId: row.session_id ?? undefined, tokenId: row.token_id ?? undefined });
    const isTheirs = actor?.userId === row.user_id && (caller === undefined || caller.userId === row.user_id);
    const found =
      isTheirs && row.entry_id !== null ? await findEntry(ctx.reads, undefined, row.entry_id).catch(() => undefined) : undefined;
    if (!actor || !found) {
      const reason = isTheirs ? 'right-lost' : 'wrong-person';
      await ctx.db.updateTable('remote_sessions').set({ ended_at: ctx.clock.now(), end_reason: reason }).where('id', '=', row.id).execute();
      return undefined;
    }
    const { device, entry, companyPath } = found;
    const rules = await findRemoteRules(ctx.reads, companyPath);
    const session = makeLiveSession(ctx, {
      row,
      actor,
      device,
      entry,
      recordingSize: isRecorded(rules, row.protocol) ? size : undefined,
      connect: () => ways.openStream(device, entry),
      ended,
    });
    live.set(session.id, session);
    const access = row.link_id === null ? ({ permission: 'execute_device_remote_access' } as const) : ('signed-in' as const);
    session.onEnd(ctx.live.addUnderWay({ actor, access, end: () => session.end('right-lost') }));
    await recheckSessions(ctx, [session]);
    return session.endReason() === undefined ? session : undefined;
  }

  return {
    registerKind(kind, handler, options = {}) {
      if (handlers.has(kind) && !options.replaces) throw new Error(`The kind ${kind} of remote sessions is registered twice`);
      handlers.set(kind, { handler, options });
    },
    hasKind: (kind) => handlers.has(kind),
    ...ways,
    takeResults: tunnels.takeResults,
    enter,
    liveCount: () => live.size,

    async begin(request) {
      const begun = await beginSession(ctx, request, {
        owner,
        hasKind: (kind) => handlers.has(kind),
        check: async (found) => {
          await assertHasData(ctx, found.device);
          return assertConsent(ctx, request.actor, found);
        },
      });
      const { row, ticket, found } = begun;
      const rules = await findRemoteRules(ctx.reads, found.companyPath);
      const urlOf = handlers.get(row.protocol)?.options.urlOf;
      return {
        id: row.id,
        kind: row.protocol,
        ticket,
        url: urlOf ? await urlOf(row.id, ticket) : `${STREAM_PATH}?ticket=${ticket}`,
        expires_at: row.expires_at,
        recorded: isRecorded(rules, row.protocol),
      };
    },

    async end(sessionIds, reason) {
      if (sessionIds.length === 0) return;
      await requestEnd(ctx, sessionIds, reason);
      await Promise.all(sessionIds.map((id) => live.get(id)?.finish(reason)));
      await Promise.all(ending);
      await endUnopened(ctx, sessionIds, reason);
    },

    async start(http: Server) {
      const streams = attachStreams(ctx, http, { enter }, { handlers, livePath: LIVE_PATH });
      await endLostSessions(ctx, owner);
      tunnels.start();
      stops.push(
        streams.stop,
        ctx.clock.every(RECHECK_MS, () => recheckSessions(ctx, [...live.values()])),
        ctx.clock.every(NOTE_MS, () => noteBytes(ctx, live.values())),
        ctx.clock.every(SWEEP_MS, () => endLostSessions(ctx, owner)),
      );
    },

    async [Symbol.asyncDispose]() {
      isStopped = true;
      await Promise.all([...live.values()].map((session) => session.finish('stopping')));
      await Promise.all(ending);
      for (const stop of stops.splice(0)) stop();
      await tunnels[Symbol.asyncDispose]();
    },
  };
}
