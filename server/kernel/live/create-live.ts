import type { Server as HttpServer } from 'node:http';
import { setImmediate as nextTurn, setTimeout as nextMoment } from 'node:timers/promises';
import { Server, type Socket } from 'socket.io';
import type { EventName, EventPayloads } from '../../../schemas/_generated/contract.ts';
import type { Context, Part } from '../../context.ts';
import { personOf, type Actor } from '../actor.ts';
import { SECOND } from '../clock.ts';
import { isPresent } from '../tenancy.ts';
import { createAdmission } from './admission.ts';
import { addAnswerHeaders } from './answer-headers.ts';
import { audienceFor, channelNameOf, parseChannel, type Audience, type Channel } from './channels.ts';
import { hiddenFieldsOf, rightsKey, withoutHidden } from './hidden-fields.ts';
import type { Item } from './item.ts';
import { createOutbox } from './outbox.ts';
import type { Relay } from './relay.ts';
import { findEndedSessions, findEndedTokens } from './session-check.ts';
import { cutOff, isOpen, isTooSlow, limitConnection } from './socket-limits.ts';
import type { Live } from './types.ts';
import { createPendingAnswers } from './pending-answers.ts';
import { isOf, type Recipients } from './recipients.ts';

const PATH = '/status/socket.io';
const MAX_MESSAGE_BYTES = 2048;
const MAX_CHANNELS_PER_SOCKET = 50;
const CONNECT_TIMEOUT_MS = 10_000;
/** How long consoles have to close their end when the server stops. */
const GOODBYE_MS = 300;
const SESSION_CHECK_MS = 15 * SECOND;
const SLOW_CHECK_MS = 1 * SECOND;

/** `companies.7.devices|tree`: followers of one channel that get the same events. */
type Destination = string;
const destinationOf = (channel: string, audience: Audience): Destination => `${channel}|${audience}`;

/** A room of Socket.IO: the followers of one destination who may see the same fields. */
const roomOf = (destination: Destination, rights: string): string => `${destination}|${rights}`;

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
  /** destination → rights → how many followers here. */
  const followers = new Map<Destination, Map<string, number>>();
  /** Channels followed with the audience `all`, by kind. */
  const everywhere = new Map<string, Set<string>>();
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
    for (const rights of followers.get(destination)?.keys() ?? []) {
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
      for (const channel of everywhere.get(item.kind) ?? []) offer(destinationOf(channel, 'all'), item.event, item.payload);
    }
  }

  function spread(item: Item): void {
    take(item);
    relay?.send(item);
  }

  function closeHere(whose: Recipients): void {
    underWay.endOf((actor) => isOf(actor, whose));
    for (const closed of entering) closed.push(whose);
    for (const socket of io?.of('/').sockets.values() ?? []) {
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
    for (const socket of io?.of('/').sockets.values() ?? []) {
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

  function follow(socket: Socket, channel: string, destination: Destination, kind: string, rights: string): void {
    const byRights = followers.get(destination) ?? new Map<string, number>();
    byRights.set(rights, (byRights.get(rights) ?? 0) + 1);
    followers.set(destination, byRights);
    void socket.join(roomOf(destination, rights));
    if (destination.endsWith('|all')) everywhere.set(kind, (everywhere.get(kind) ?? new Set()).add(channel));
  }

  function unfollow(socket: Socket, channel: string, destination: Destination, kind: string, rights: string): void {
    void socket.leave(roomOf(destination, rights));
    const byRights = followers.get(destination);
    if (!byRights) return;
    const left = (byRights.get(rights) ?? 0) - 1;
    if (left > 0) byRights.set(rights, left);
    else byRights.delete(rights);
    if (byRights.size > 0) return;
    followers.delete(destination);
    if (destination.endsWith('|all')) everywhere.get(kind)?.delete(channel);
  }

  function welcome(socket: Socket, actor: Actor): void {
    actors.set(socket, actor);
    const rights = rightsKey(actor);
    const followed = new Map<string, { destination: Destination; kind: string }>();

    async function subscribe(name: unknown): Promise<void> {
      const channel = parseChannel(name);
      const audience = channel && (await presentAudience(actor, channel));
      // After the wait: others may have been followed meanwhile.
      if (!channel || !audience || (followed.size >= MAX_CHANNELS_PER_SOCKET && !followed.has(channel.name))) {
        socket.emit('subscription_error', typeof name === 'string' ? name.slice(0, 100) : '', {
          code: 403,
          message: 'You cannot follow this channel.',
        });
        return;
      }
      if (!socket.connected) return;
      if (!followed.has(channel.name)) {
        const destination = destinationOf(channel.name, audience);
        followed.set(channel.name, { destination, kind: channel.kind });
        follow(socket, channel.name, destination, channel.kind, rights);
      }
      socket.emit('subscribed', channel.name);
    }

    function leave(name: string): void {
      const place = followed.get(name);
      if (!place) return;
      followed.delete(name);
      unfollow(socket, name, place.destination, place.kind, rights);
    }

    dismissals.set(socket, (name) => {
      if (!followed.has(name)) return;
      leave(name);
      socket.emit('subscription_error', name, { code: 403, message: 'You cannot follow this channel any more.' });
    });
    socket.on('subscribe', (given: unknown) => {
      subscribe(channelNameOf(given)).catch((error: unknown) => {
        ctx.log.error({ err: error }, 'a live channel could not be followed');
        socket.disconnect(true);
      });
    });
    socket.on('unsubscribe', (given: unknown) => {
      const name = channelNameOf(given);
      if (typeof name === 'string') leave(name);
    });
    socket.on('disconnect', () => {
      for (const name of followed.keys()) leave(name);
    });
  }

  async function endOldSessions(): Promise<void> {
    const sockets = [...(io?.of('/').sockets.values() ?? [])];
    const sessionIds = [...new Set(sockets.flatMap((socket) => actors.get(socket)?.sessionId ?? []))];
    for (const sessionId of await findEndedSessions(ctx, sessionIds)) closeHere({ sessionId });
    const tokenIds = [...new Set(sockets.flatMap((socket) => actors.get(socket)?.tokenId ?? []))];
    for (const tokenId of await findEndedTokens(ctx, tokenIds)) closeHere({ tokenId });
  }

  function dropSlowReaders(): void {
    for (const socket of io?.of('/').sockets.values() ?? []) if (isTooSlow(socket.conn)) cutOff(socket.conn);
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
      io = new Server(http, {
        path: PATH,
        transports: ['websocket'],
        serveClient: false,
        perMessageDeflate: false,
        maxHttpBufferSize: MAX_MESSAGE_BYTES,
        connectTimeout: CONNECT_TIMEOUT_MS,
        // Other upgrades are those of remote sessions, which refuse what is not theirs.
        destroyUpgrade: false,
        allowRequest: (request, decide) => {
          admission
            .refuseOpening(request)
            .then((reason) => decide(reason, reason === undefined))
            .catch((error: unknown) => {
              ctx.log.error({ err: error }, 'the origin of a live connection could not be checked');
              decide(null, false);
            });
        },
      });
      io.engine.on('connection', limitConnection);
      addAnswerHeaders(ctx, http, PATH);
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
      const sockets = [...(io?.of('/').sockets.values() ?? [])];
      for (const socket of sockets) socket.disconnect(true);
      if (sockets.some((socket) => isOpen(socket.conn))) await nextMoment(GOODBYE_MS);
      for (const { conn } of sockets) cutOff(conn);
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
