import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { JobKind } from '../../domain/jobs/types.ts';

type SpeedInput = FormData['devices/speed-test'];

const MEGABYTE = 1024 * 1024;
const TIMEOUT_SECONDS = 5 * 60;

/** A device loads so many bytes from this server and sends it as many, and says how long both took. */
export const speedKind: JobKind<SpeedInput> = {
  name: 'speed_test',
  permission: 'execute_device_actions',
  skipReason: () => undefined,
  outlook: (device, { megabytes }) => ({
    group: { model: device.model || null },
    mobileBytes: device.wan_state === 'Mobile' ? 2 * megabytes * MEGABYTE : 0,
  }),
  runs: {
    on: 'device',
    steps: ({ megabytes }) => [
      {
        name: 'speed',
        verb: 'speed',
        timeoutSeconds: TIMEOUT_SECONDS,
        body: `megabytes=${megabytes}\n`,
        exchangesBytes: megabytes * MEGABYTE,
      },
    ],
  },
};
