import type { Parts } from './context.ts';
import { openDeviceChannel } from './edges/mqtt/open-device-channel.ts';
import { createJobs } from './domain/jobs/create-jobs.ts';
import { createLive } from './kernel/live/create-live.ts';
import { createRemote } from './domain/remote/create-remote.ts';

/** The SSH library comes with the first tunnel. */
const remote: Parts['remote'] = (ctx) =>
  createRemote(ctx, async (options) => (await import('./edges/tunnel/open-tunnel-hub.ts')).openTunnelHub(options));

/** The parts that the product runs with. */
export const parts: Parts = { live: createLive, jobs: createJobs, devices: openDeviceChannel, remote };
