import type { Server as HttpServer } from 'node:http';
import { setImmediate as nextTurn, setTimeout as nextMoment } from 'node:timers/promises';
import type { Server, Socket } from 'socket.io';
import type { EventName, EventPayloads } from '../../../schemas/_generated/contract.ts';
import type { Context, Part } from '../../context.ts';
import { personOf, type Actor } from '../actor.ts';
import { SECOND } from '../clock.ts';
import { isPresent } from '../tenancy.ts';
import { createAdmission } from './admission.ts';
import { audienceFor, parseChannel, type Audience, type Channel } from './channels.ts';
import { createFollowers, destinationOf, roomOf, type Destination } from './followers.ts';
import { hiddenFieldsOf, withoutHidden } from './hidden-fields.ts';
import { openSocketServer } from './open-socket-server.ts';
import { createOutbox } from './outbox.ts';
import type { Relay } from './relay.ts';
import { serveSubscriptions } from './subscriptions.ts';
import { findEndedSessions, findEndedTokens } from './session-check.ts';
import { cutOff, isOpen, isTooSlow } from './socket-limits.ts';
import type { Live } from './types.ts';
import { createPendingAnswers } from './pending-answers.ts';
import { isOf, type Recipients } from './recipients.ts';

/** How long consoles have to close their end when the server stops. */
const GOODBYE_MS = 300;
const SESSION_CHECK_MS = 15 * SECOND;
const SLOW_CHECK_MS = 1 * SECOND;

/**
 * The live channel: Socket.IO at `/status/socket.io`, websocket only, for signed-in people on pages of ours and for programs with an access token.
 * A follower gets the events of a channel that its scope covers, without the fields that it may not see. Followers with the same
 * scope and rights are a room of Socket.IO, which encodes each batch once for all of them.
 */
export function createLive(ctx: Context): Live & Part {
  const admission = createAdmission(ctx);
  const actors = new WeakMap<Socket, Actor>();
  /** Ends one socket's following of a channel and notifies it. */
  const dismissals = new WeakMap<Socket, (channel: string) => void>();
  const followers = createFollowers();
  const underWay = createPendingAnswers(ctx);
  /** Connections that are being let in, with whose were closed meanwhile: the rights that were looked up may be of before. */
  const entering = new Set<Recipients[]>();
  let recheckCount = 0;
  let io: Server | undefined;
  let relay: Relay<Item> | undefined;
  const stops: (() => void)[] = [];

  const outbox = createOutbox((destination, event, payloads) => {
    const channel = destination.slice(0, destination.lastIndexOf('|'));
    const fields = hiddenFieldsOf(event);
    for (const rights of followers.rightsOf(destination)) {
      const visible = fields ? payloads.map((payload) => withoutHidden(payload, fields, rights)) : payloads;
      io?.local.to(roomOf(destination, rights)).emit(event, channel, visible);
    }
  });

  function offer(destination: Destination, event: EventName, payload: object): void {
    if (followers.has(destination)) outbox.add(destination, event, payload);
  }

  function take(item: Item): void {
    if (item.to === 'sockets') {
      closeHere(item.whose);
    } else if (item.to === 'recheck') {
      recheckHere(item.channel).catch((error: unknown) => ctx.log.error({ err: error }, 'a live channel could not be checked again'));
    } else if (item.to === 'channel') {
      for (const audience of ['own', 'tree', 'all'] as const) offer(destinationOf(item.channel, audience), item.event, item.payload);
    } else {
      const ids = item.path.split('/').filter(Boolean);
      ids.forEach((id, index) => {
        const channel = `companies.${id}.${item.kind}`;
        const payload = item.byDepth?.[index] ?? item.payload;
        if (index === ids.length - 1 && !item.isForTreeOnly) offer(destinationOf(channel, 'own'), item.event, payload);
        offer(destinationOf(channel, 'tree'), item.event, payload);
      });
      for (const channel of followers.everywhere(item.kind)) offer(destinationOf(channel, 'all'), item.event, item.payload);
    }
  }

  function spread(item: Item): void {
    take(item);
    relay?.send(item);
  }

  function closeHere(whose: Recipients): void {
    underWay.endOf((actor) => isOf(actor, whose));
    for (const closed of entering) closed.push(whose);
    for (const socket of sockets()) {
      const actor = actors.get(socket);
      if (!actor || !isOf(actor, whose)) continue;
      // What was just sent to this person, such as why the session ended, goes out first.
      outbox.flush(destinationOf(`private-notifications.${personOf(actor)}`, 'own'));
      socket.disconnect(true);
    }
  }

  async function recheckHere(name: string): Promise<void> {
    recheckCount += 1;
    const channel = parseChannel(name);
    if (!channel) return;
    const isFollowed = (['own', 'tree', 'all'] as const).some((audience) => followers.has(destinationOf(name, audience)));
    if (!isFollowed) return;
    for (const socket of sockets()) {
      const actor = actors.get(socket);
      if (actor && !(await audienceFor(ctx, actor, channel))) dismissals.get(socket)?.(name);
    }
  }

  /** The audience in which the actor may follow the channel, asked again as long as things go to other companies meanwhile. */
  async function presentAudience(actor: Actor, channel: Channel): Promise<Audience | undefined> {
    const before = recheckCount;
    const audience = await audienceFor(ctx, actor, channel);
    return before === recheckCount ? audience : presentAudience(actor, channel);
  }

  function welcome(socket: Socket, actor: Actor): void {
    actors.set(socket, actor);
    dismissals.set(socket, serveSubscriptions(socket, { ctx, followers, actor, audienceOf: presentAudience }));
  }

  const sockets = (): Socket[] => [...(io?.of('/').sockets.values() ?? [])];

  async function endOldSessions(): Promise<void> {
    const here = sockets().flatMap((socket) => actors.get(socket) ?? []);
    const sessionIds = [...new Set(here.flatMap(({ sessionId }) => sessionId ?? []))];
    for (const sessionId of await findEndedSessions(ctx, sessionIds)) closeHere({ sessionId });
    const tokenIds = [...new Set(here.flatMap(({ tokenId }) => tokenId ?? []))];
    for (const tokenId of await findEndedTokens(ctx, tokenIds)) closeHere({ tokenId });
  }

  function dropSlowReaders(): void {
    for (const socket of sockets()) if (isTooSlow(socket.conn)) cutOff(socket.conn);
  }

  return {
    publish: (channel, event, payload) => spread({ to: 'channel', channel, event, payload: asObject(payload) }),
    publishBelow(path, kind, event, payload, { isForTreeOnly = false, byDepth } = {}) {
      if (!isPresent(path)) return;
      spread({
        to: 'tree',
        path,
        kind,
        event,
        payload: asObject(payload),
        isForTreeOnly,
        ...(byDepth ? { byDepth: byDepth.map(asObject) } : {}),
      });
    },
    async recheck(channel) {
      relay?.send({ to: 'recheck', channel });
      await recheckHere(channel);
    },
    addUnderWay: (answer) => underWay.add(answer),
    closeSockets: (whose) => spread({ to: 'sockets', whose }),

    async start(http: HttpServer) {
      io = openSocketServer(ctx, http, admission);
      if (ctx.config.databaseUrl) {
        const { openRelay } = await import('./relay.ts');
        relay = await openRelay<Item>(ctx, io, ctx.config.databaseUrl, (items) => items.forEach(take));
      }
      io.use((socket, next) => {
        const decide = async (): Promise<void> => {
          const closed: Recipients[] = [];
          entering.add(closed);
          const answer = await admission.admit(socket);
          if (!(answer instanceof Error)) welcome(socket, answer);
          next(answer instanceof Error ? answer : undefined);
          // Until then it is not among the sockets that are closed.
          await nextTurn();
          entering.delete(closed);
          if (!(answer instanceof Error) && closed.some((whose) => isOf(answer, whose))) socket.conn.close();
        };
        void decide();
      });
      stops.push(
        ctx.clock.every(SESSION_CHECK_MS, endOldSessions),
        ctx.clock.every(SESSION_CHECK_MS, underWay.lookAgain),
        ctx.clock.every(SLOW_CHECK_MS, dropSlowReaders),
      );
    },

    async endAll() {
      for (const stop of stops.splice(0)) stop();
      const open = sockets();
      for (const socket of open) socket.disconnect(true);
      if (open.some((socket) => isOpen(socket.conn))) await nextMoment(GOODBYE_MS);
      for (const { conn } of open) cutOff(conn);
      // @NOTE io.close() would close the HTTP server too, which is the app's to close.
      io?.engine.close();
    },

    async [Symbol.asyncDispose]() {
      await this.endAll();
      outbox.stop();
      await relay?.[Symbol.asyncDispose]();
    },
  };
}

const asObject = (payload: EventPayloads[EventName]): object => payload;

type Kind = 'devices' | 'companies' | 'tags' | 'users' | 'files' | 'jobs' | 'alerts';

/** What one server process sends the others, and itself. */
export type Item =
  | { to: 'channel'; channel: string; event: EventName; payload: object }
  | { to: 'tree'; path: string; kind: Kind; event: EventName; payload: object; isForTreeOnly: boolean; byDepth?: readonly object[] }
  | { to: 'recheck'; channel: string }
  | { to: 'sockets'; whose: Recipients };
