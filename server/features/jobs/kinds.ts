import type { JobKind } from '../../domain/jobs/types.ts';

const REBOOT_SECONDS = 600;
const REFRESH_SECONDS = 120;
const ANSWER_SECONDS = 30;

/** The device is done when it is online again. */
export const rebootKind: JobKind<Record<string, never>> = {
  name: 'reboot',
  permission: 'execute_device_actions',
  windowRule: 'wait',
  skipReason: () => undefined,
  runs: {
    on: 'device',
    steps: () => [{ name: 'reboot', verb: 'reboot', timeoutSeconds: ANSWER_SECONDS, waitSeconds: REBOOT_SECONDS, body: '' }],
  },
};

/** The device reports at once. */
export const refreshKind: JobKind<Record<string, never>> = {
  name: 'refresh',
  permission: 'execute_device_actions',
  skipReason: () => undefined,
  runs: {
    on: 'device',
    steps: () => [{ name: 'refresh', verb: 'refresh', timeoutSeconds: ANSWER_SECONDS, waitSeconds: REFRESH_SECONDS, body: '' }],
  },
};

export interface RunInput {
  command: string;
  /** Seconds. */
  timeout: number;
}

/** A shell command; done when it ended with exit code 0. */
export const runKind: JobKind<RunInput> = {
  name: 'run',
  permission: 'execute_device_commands',
  skipReason: () => undefined,
  runs: { on: 'device', steps: (input) => [{ name: 'run', verb: 'run', timeoutSeconds: input.timeout, body: input.command }] },
};
