import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Context, Part } from '../../context.ts';
import type { OpenTunnelHub } from '../../edges/tunnel/types.ts';
import type { Actor } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { findActorAgain } from '../../kernel/auth/find-actor.ts';
import { hashToken } from '../../kernel/auth/tokens.ts';
import { MINUTE, SECOND, type Clock } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { deviceDataLeft } from '../data-left.ts';
import { beginSession, findEntry } from './begin-session.ts';
import { assertConsent } from './consent.ts';
import { NoDataLeft } from './errors.ts';
import { directCarrier } from './direct-carrier.ts';
import { guardTarget } from './guard.ts';
import { makeLiveSession, type LiveSession, type SessionRow } from './live-session.ts';
import { recheckSessions } from './recheck.ts';
import { findRemoteRules, isRecorded } from './settings.ts';
import { createTunnelCarrier } from './tunnel-carrier.ts';
import { attachStreams, STREAM_PATH } from './stream-endpoint.ts';
import {
  RemoteError,
  type Carrier,
  type KindOptions,
  type Remote,
  type RemoteDevice,
  type RemoteHandler,
  type RemoteKind,
  type RemoteTarget,
} from './types.ts';

const RECHECK_MS = 1 * SECOND;
const NOTE_MS = 10 * SECOND;
const SWEEP_MS = MINUTE;
/** A process that has said nothing of its sessions for so long is gone, and they with it. */
const LOST_AFTER_MS = 2 * MINUTE;
const LIVE_PATH = '/status/socket.io';
const DEFAULT_SIZE = { cols: 80, rows: 24 };

/** The connection of the first way that leads to the device. Throws what the last of them said. */
async function firstStream(
  clock: Clock,
  ways: readonly Carrier[],
  { device, target, fault }: { device: RemoteDevice; target: RemoteTarget; fault: RemoteError },
): Promise<Duplex> {
  let last = fault;

  for (const way of ways) {
    const late = new AbortController();
    const cancel = clock.after(way.withinMs, () => late.abort());
    try {
      const stream = await way.open(device, target, late.signal);
      if (stream) return stream;
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      last = error;
    } finally {
      cancel();
    }
  }
  throw last;
}

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
  const carriers: Carrier[] = [];
  const direct = directCarrier(ctx.config.remote);
  const isLoopback = ctx.config.remote.direct === 'loopback';
  const tunnels = createTunnelCarrier(ctx, openHub);
  const live = new Map<number, LiveSession>();
  const ending = new Set<Promise<void>>();
  const stops: (() => void)[] = [];
  let isStopped = false;

  async function noteEnd(session: LiveSession, reason: string): Promise<void> {
    const at = ctx.clock.now();
    const bytes = session.bytes();
    await inTransaction(ctx.db, async (trx) => {
      await trx
        .updateTable('remote_sessions')
        .set({ ...bytes, ended_at: at, end_reason: reason, seen_at: at })
        .where('id', '=', session.id)
        .execute();
      await writeAudit(
        trx,
        { actor: session.actor, origin: { ip: session.row.ip, requestId: `session-${session.id}`, userAgent: '' }, at },
        [
          {
            action: 'devices.disconnect',
            entity: 'device',
            entityId: session.device.id,
            entityName: session.device.name,
            companyId: session.row.company_id,
            before: null,
            after: { session: session.id, reason, entry: session.entry.name, bytes_in: bytes.bytes_in, bytes_out: bytes.bytes_out },
          },
        ],
      );
    });
  }

  function ended(session: LiveSession, reason: string): void {
    live.delete(session.id);
    const work = noteEnd(session, reason)
      .catch((error: unknown) => ctx.log.error({ err: error, session: session.id }, 'the end of a remote session could not be written'))
      .finally(() => ending.delete(work));
    ending.add(work);
  }

  async function noteBytes(): Promise<void> {
    const now = ctx.clock.now();
    for (const session of live.values())
      await ctx.db
        .updateTable('remote_sessions')
        .set({ ...session.bytes(), seen_at: now })
        .where('id', '=', session.id)
        .execute();
  }

  /** Ends in the database what no process holds any more, and tickets that nobody used. */
  async function sweep(): Promise<void> {
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

  const openStream: Remote['openStream'] = async (device, given) => {
    const target = guardTarget(ctx.config.remote, given);
    if (given.way === 'vpn') {
      const ways = carriers.filter(({ name }) => name === 'vpn');
      return firstStream(ctx.clock, ways, { device, target, fault: new RemoteError('no-vpn') });
    }
    if (given.way === 'tunnel') return firstStream(ctx.clock, [tunnels], { device, target, fault: new RemoteError('offline') });
    const first = carriers.filter(({ comesLast }) => !comesLast);
    const last = carriers.filter(({ comesLast }) => comesLast);
    const ways = isLoopback ? [...first, direct, tunnels, ...last] : [...first, tunnels, ...last, direct];
    return firstStream(ctx.clock, ways, { device, target, fault: new RemoteError('no-way') });
  };

  /** Uses up a ticket; answers its row once. */
  async function takeTicket(ticket: string): Promise<SessionRow | undefined> {
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

  async function enter(ticket: string, caller: Actor | undefined, size = DEFAULT_SIZE): Promise<LiveSession | undefined> {
    const row = isStopped ? undefined : await takeTicket(ticket);
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
      connect: () => openStream(device, entry),
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
    addCarrier: (carrier) => void carriers.push(carrier),
    openStream,
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
      await ctx.db
        .updateTable('remote_sessions')
        .set({ end_requested: reason })
        .where('id', 'in', ctx.database.tools.idList(sessionIds))
        .where('ended_at', 'is', null)
        .execute();
      await Promise.all(sessionIds.map((id) => live.get(id)?.finish(reason)));
      await Promise.all(ending);
      const now = ctx.clock.now();
      // What no browser has come for yet ends here.
      await ctx.db
        .updateTable('remote_sessions')
        .set({ ended_at: now, end_reason: reason, ticket_hash: null })
        .where('id', 'in', ctx.database.tools.idList(sessionIds))
        .where('ended_at', 'is', null)
        .where('opened_at', 'is', null)
        .execute();
    },

    async start(http: Server) {
      const streams = attachStreams(ctx, http, { enter }, { handlers, livePath: LIVE_PATH });
      await sweep();
      tunnels.start();
      stops.push(
        streams.stop,
        ctx.clock.every(RECHECK_MS, () => recheckSessions(ctx, [...live.values()])),
        ctx.clock.every(NOTE_MS, noteBytes),
        ctx.clock.every(SWEEP_MS, sweep),
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
