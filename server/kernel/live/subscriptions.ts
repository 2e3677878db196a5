import type { Socket } from 'socket.io';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { channelNameOf, parseChannel, type Audience, type Channel } from './channels.ts';
import { destinationOf, type Followers, type Following } from './followers.ts';
import { rightsKey } from './hidden-fields.ts';

const MAX_CHANNELS_PER_SOCKET = 50;

interface SubscriptionParts {
  ctx: Context;
  followers: Followers;
  actor: Actor;
  /** The audience in which the actor may follow a channel; undefined for one that it may not. */
  audienceOf(actor: Actor, channel: Channel): Promise<Audience | undefined>;
}

/** Lets a socket follow and leave channels, at most 50 at once. Answers what ends its following of a channel and tells it so. */
export function serveSubscriptions(socket: Socket, { ctx, followers, actor, audienceOf }: SubscriptionParts): (channel: string) => void {
  const rights = rightsKey(actor);
  const followed = new Map<string, Following>();

  async function subscribe(name: unknown): Promise<void> {
    const channel = parseChannel(name);
    const audience = channel && (await audienceOf(actor, channel));
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
      const following = { channel: channel.name, destination: destinationOf(channel.name, audience), kind: channel.kind, rights };
      followed.set(channel.name, following);
      followers.follow(socket, following);
    }
    socket.emit('subscribed', channel.name);
  }

  function leave(name: string): void {
    const following = followed.get(name);
    if (!following) return;
    followed.delete(name);
    followers.unfollow(socket, following);
  }

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
  return (name) => {
    if (!followed.has(name)) return;
    leave(name);
    socket.emit('subscription_error', name, { code: 403, message: 'You cannot follow this channel any more.' });
  };
}
