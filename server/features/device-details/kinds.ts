import type { JobKind } from '../../domain/jobs/types.ts';

const ANSWER_SECONDS = 30;
const WAIT_SECONDS = 120;

export interface IoInput {
  /** An output as the device names it. */
  pin: string;
  state: 'on' | 'off';
}

/** An output of a device is switched; the device says how it is then in its details. */
export const ioKind: JobKind<IoInput> = {
  name: 'io',
  permission: 'execute_device_actions',
  skipReason: () => undefined,
  runs: {
    on: 'device',
    steps: ({ pin, state }) => [
      {
        name: 'io',
        verb: 'io',
        timeoutSeconds: ANSWER_SECONDS,
        waitSeconds: WAIT_SECONDS,
        body: `pin=${pin}\nstate=${state === 'on' ? 1 : 0}\n`,
      },
    ],
  },
};

/** The device looks at its ports again. */
export const portScanKind: JobKind<Record<string, never>> = {
  name: 'port_scan',
  permission: 'execute_device_actions',
  skipReason: () => undefined,
  runs: {
    on: 'device',
    steps: () => [{ name: 'refresh', verb: 'refresh', timeoutSeconds: ANSWER_SECONDS, waitSeconds: WAIT_SECONDS, body: '' }],
  },
};
