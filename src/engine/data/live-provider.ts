import type { LiveEvent, LiveProvider } from '@refinedev/core';
import { requireUser } from '../../kernel/session/index.ts';
import { live } from '../../kernel/socket/index.ts';
import type { Resource } from '../resources/resource.ts';

const CHANNEL_PREFIX = 'resources/';

/** Refine's live provider over the live channel that a resource names; for queries in live mode. Tables follow the channel themselves. */
export function makeLiveProvider(entries: readonly Resource[]): LiveProvider {
  return {
    subscribe({ channel, callback }) {
      const name = channel.replace(CHANNEL_PREFIX, '');
      const source = entries.find((entry) => entry.name === name)?.live;
      if (!source) return () => undefined;
      const user = requireUser();
      const followed = source.channel.replace('{company_id}', String(user.company_id)).replace('{user_id}', String(user.id));
      const publish = (type: LiveEvent['type'], payload: LiveEvent['payload']) => callback({ channel, type, payload, date: new Date() });
      return live.follow(followed, {
        onEvent(event, payload) {
          if (source.events[event]) publish(typeOf(event), { event, ...(typeof payload === 'object' ? payload : {}) });
        },
        onFollowed: () => publish('*', {}),
      });
    },
    unsubscribe(stop: () => void) {
      stop();
    },
  };
}

function typeOf(event: string): LiveEvent['type'] {
  if (event.endsWith('Added')) return 'created';
  return event.endsWith('Removed') ? 'deleted' : 'updated';
}
