import type { Duplex } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Clock } from '../../kernel/clock.ts';
import { directCarrier } from './direct-carrier.ts';
import { guardTarget } from './guard.ts';
import { RemoteError, type Carrier, type Remote, type RemoteDevice, type RemoteTarget } from './types.ts';

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

/** The ways to devices, in the order in which they are tried. */
export function createWays(ctx: Context, tunnels: Carrier): Pick<Remote, 'addCarrier' | 'openStream'> {
  const carriers: Carrier[] = [];
  const direct = directCarrier(ctx.config.remote);
  const isLoopback = ctx.config.remote.direct === 'loopback';

  return {
    addCarrier: (carrier) => void carriers.push(carrier),
    async openStream(device, given) {
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
    },
  };
}
