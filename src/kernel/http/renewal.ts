import { createEmitter } from '../emitter.ts';
import { readLocal, writeLocal } from '../local.ts';

export type RenewalEvents = {
  /** Before the refresh: the live socket closes, because the server ends sockets of the old token. */
  renewing: undefined;
  finished: RefreshResult;
};
/** `refused`: the session is over; `unreachable`: nobody answered, so nothing is known. */
export type RefreshResult = 'renewed' | 'refused' | 'unreachable';

/** Makes the shared renewal: however many calls meet a 401 at once, in however many tabs, the token is refreshed once. */
export function createRenewal(refresh: () => Promise<RefreshResult>) {
  const events = createEmitter<RenewalEvents>();
  let renewedAt = 0;
  let running: Promise<boolean> | undefined;

  async function renewOnce(sentAt: number): Promise<boolean> {
    events.emit('renewing', undefined);
    const result = await inOneTab(async () => {
      // Another tab refreshed while this one waited for its turn; its cookies are ours too.
      if (Number(readLocal('renewed_at') ?? 0) >= sentAt) return 'renewed';
      return refresh();
    });
    if (result === 'renewed') {
      renewedAt = Date.now();
      writeLocal('renewed_at', String(renewedAt));
    }
    events.emit('finished', result);
    return result === 'renewed';
  }

  return {
    on: events.on,
    /** Renews unless that has happened since `sentAt` (unix ms); answers whether the refused call may be tried again. */
    renew(sentAt: number): Promise<boolean> {
      if (renewedAt >= sentAt) return Promise.resolve(true);
      running ??= renewOnce(sentAt).finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}

function inOneTab<R>(run: () => Promise<R>): Promise<R> {
  return 'locks' in navigator ? navigator.locks.request('canopy-renewal', run) : run();
}
