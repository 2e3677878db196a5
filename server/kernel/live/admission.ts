import type { IncomingMessage } from 'node:http';
import type { Socket } from 'socket.io';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { authenticateUpgrade, bearerOf } from '../auth/authenticate.ts';
import { isFromOwnPage } from '../auth/forgery.ts';
import { callerAddress } from '../http/caller-address.ts';

// docs/behaviour.md section 9, live connections.
const MAX_OF_PERSON = 100;
const MAX_STRANGERS = 1000;
const REFUSED_CLOSE_MS = 500;

/** Places for up to `max` of each key. */
function createPlaces<Key>(max: number) {
  const taken = new Map<Key, number>();
  return {
    /** Takes one; answers how to give it back, which counts once, or undefined when none is left. */
    take(key: Key): (() => void) | undefined {
      const count = taken.get(key) ?? 0;
      if (count >= max) return undefined;
      taken.set(key, count + 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        const left = (taken.get(key) ?? 1) - 1;
        if (left === 0) taken.delete(key);
        else taken.set(key, left);
      };
    },
  };
}

/**
 * Who comes in: pages of ours and programs, then people who are signed in or whose access token it is, once for each connection. A person has so many connections and no more, on this
 * process; so has an address, of those that have not said yet who they are.
 */
export function createAdmission(ctx: Context) {
  const people = createPlaces<number>(MAX_OF_PERSON);
  const strangers = createPlaces<string>(MAX_STRANGERS);
  const addressOf = callerAddress(ctx.config.trustProxy);
  const knownNow = new WeakMap<IncomingMessage['socket'], () => void>();
  const asked = new WeakSet<Socket['conn']>();

  async function decide(socket: Socket): Promise<Actor | Error> {
    const { conn, request } = socket;
    // Each question costs a read of the session, and each answer would be a place.
    if (asked.has(conn)) return new Error('ASKED_ALREADY');
    asked.add(conn);
    const actor = await authenticateUpgrade(ctx, request.headers, { auth: socket.handshake.auth, ip: addressOf(request) });
    if (!actor) return new Error('UNAUTHORIZED');
    const leave = people.take(actor.userId);
    if (!leave) {
      const message = `You have ${MAX_OF_PERSON} live connections already. Close some windows.`;
      return Object.assign(new Error('TOO_MANY_CONNECTIONS'), { data: { message, params: { max: MAX_OF_PERSON } } });
    }
    // A connection that ended meanwhile reports its end to nobody any more.
    if (request.socket.destroyed) leave();
    else request.socket.once('close', leave);
    knownNow.get(request.socket)?.();
    return actor;
  }

  return {
    /** Decides over the opening of a connection, by its address and its page; answers why not, or undefined. */
    async refuseOpening(request: IncomingMessage): Promise<string | undefined> {
      const { headers, socket } = request;
      // A program brings a token in this call or in its first packet. A cookie without a page of ours is never a program.
      const isProgram = bearerOf(headers) !== undefined || (headers.origin === undefined && headers.cookie === undefined);
      const isPage = headers.origin !== undefined && (await isFromOwnPage(ctx, headers));
      if (!isProgram && !isPage) return 'Forbidden';
      const leave = strangers.take(addressOf(request));
      if (!leave) return 'Too many connections from this address that have not signed in';
      knownNow.set(socket, leave);
      if (socket.destroyed) leave();
      else socket.once('close', leave);
      return undefined;
    },
    /** Who is behind a connection, or the error that refuses it. A refused client may not stay connected as nobody. */
    async admit(socket: Socket): Promise<Actor | Error> {
      let answer: Actor | Error = new Error('UNAUTHORIZED');
      try {
        answer = await decide(socket);
      } catch (error) {
        ctx.log.error({ err: error }, 'a live connection could not be checked');
      }
      if (answer instanceof Error) setTimeout(() => socket.conn.close(), REFUSED_CLOSE_MS).unref();
      return answer;
    },
  };
}
