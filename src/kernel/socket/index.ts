import { renewal } from '../http/index.ts';
import { forgetKept } from '../queries.ts';
import { createLiveChannels } from './channels.ts';

export type { ChannelListener, LiveState } from './channels.ts';

/** The live channel of the console; connects when the first channel is followed. */
export const live = createLiveChannels({
  connect: async () => {
    const { io } = await import('socket.io-client');
    return io({
      path: '/status/socket.io',
      transports: ['websocket'],
      autoConnect: false,
      // docs/behaviour.md section 9, Live channel.
      reconnectionAttempts: 5,
      reconnectionDelay: 1000,
      reconnectionDelayMax: 5000,
      randomizationFactor: 0.5,
      timeout: 20_000,
    });
  },
  renew: (since) => renewal.renew(since),
  onNews: (channel) => forgetKept(resourceOfChannel(channel)),
});

/** `companies.7.tags` → `tags`, `jobs.3` → `jobs`. */
function resourceOfChannel(channel: string): string {
  const [first = '', , third] = channel.split('.');
  return first === 'companies' && third !== undefined ? third : first;
}

// The server ends the sockets of the old token, so ours closes first and opens again with the new one.
renewal.on('renewing', () => live.pause());
renewal.on('finished', (result) => {
  if (result === 'refused') live.close();
  else live.resume();
});
// Five attempts are all it makes by itself; a network that is back, or a tab that is looked at again, is a reason to try again.
addEventListener('online', () => live.resume());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') live.resume();
});
