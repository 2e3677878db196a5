import type { Socket } from 'socket.io';
import type { Audience } from './channels.ts';

/** `companies.7.devices|tree`: followers of one channel that get the same events. */
export type Destination = string;
/** The destination of a channel's events for one audience. */
export const destinationOf = (channel: string, audience: Audience): Destination => `${channel}|${audience}`;

/** A room of Socket.IO: the followers of one destination who may see the same fields. */
export const roomOf = (destination: Destination, rights: string): string => `${destination}|${rights}`;

/** One socket's following of a channel: where its events go, and with which rights it sees them (`rightsKey`). */
export interface Following {
  channel: string;
  destination: Destination;
  kind: string;
  rights: string;
}

/** Who follows what at this process. Sockets of the same destination and rights share a room of Socket.IO. */
export interface Followers {
  has(destination: Destination): boolean;
  /** The rights of those who follow, each once. */
  rightsOf(destination: Destination): Iterable<string>;
  /** The channels of a kind that are followed with the audience `all`. */
  everywhere(kind: string): Iterable<string>;
  follow(socket: Socket, following: Following): void;
  unfollow(socket: Socket, following: Following): void;
}

/** Makes the list of followers, empty. */
export function createFollowers(): Followers {
  /** destination → rights → how many followers here. */
  const followers = new Map<Destination, Map<string, number>>();
  const everywhere = new Map<string, Set<string>>();

  return {
    has: (destination) => followers.has(destination),
    rightsOf: (destination) => followers.get(destination)?.keys() ?? [],
    everywhere: (kind) => everywhere.get(kind) ?? [],

    follow(socket, { channel, destination, kind, rights }) {
      const byRights = followers.get(destination) ?? new Map<string, number>();
      byRights.set(rights, (byRights.get(rights) ?? 0) + 1);
      followers.set(destination, byRights);
      void socket.join(roomOf(destination, rights));
      if (destination.endsWith('|all')) everywhere.set(kind, (everywhere.get(kind) ?? new Set()).add(channel));
    },

    unfollow(socket, { channel, destination, kind, rights }) {
      void socket.leave(roomOf(destination, rights));
      const byRights = followers.get(destination);
      if (!byRights) return;
      const left = (byRights.get(rights) ?? 0) - 1;
      if (left > 0) byRights.set(rights, left);
      else byRights.delete(rights);
      if (byRights.size > 0) return;
      followers.delete(destination);
      if (destination.endsWith('|all')) everywhere.get(kind)?.delete(channel);
    },
  };
}
