import type { LiveEvent, LiveProvider } from '@refinedev/core';
import type { Resource } from '../../engine/resources/resource.ts';
import { requireUser } from '../../kernel/session/index.ts';
import { live } from '../../kernel/socket/index.ts';

const CHANNEL_PREFIX = 'resources/';

/** Refine's live provider over the live channel that a resource names; for queries in live mode. Tables follow the channel themselves. */
export function makeLiveProvider(findResource: (name: string) => Resource | undefined): LiveProvider {
  return {
    subscribe({ channel, callback }) {
      const source = findResource(channel.replace(CHANNEL_PREFIX, ''))?.live;
      if (!source) return () => undefined;
      const name = source.channel.replace('{company_id}', String(requireUser().company_id));
      const tell = (type: LiveEvent['type'], payload: LiveEvent['payload']) => callback({ channel, type, payload, date: new Date() });
      return live.follow(name, {
        onEvent(event, payload) {
          if (source.events[event]) tell(typeOf(event), { event, ...(typeof payload === 'object' ? payload : {}) });
        },
        onFollowed: () => tell('*', {}),
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
