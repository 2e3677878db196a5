import type { Parts } from './context.ts';
import { openDeviceChannel } from './edges/mqtt/open-device-channel.ts';
import { createJobs } from './domain/jobs/create-jobs.ts';
import { createLive } from './kernel/live/create-live.ts';

/** The parts that the product runs with. */
export const parts: Parts = { live: createLive, jobs: createJobs, devices: openDeviceChannel };
