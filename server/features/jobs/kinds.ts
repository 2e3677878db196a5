import { MINUTE, SECOND } from '../../kernel/clock.ts';
import type { JobKind } from '../../kernel/jobs/types.ts';

/** A device may finish what it was given before; each command waits for its turn this long on top of its own time. */
const WAITING_MS = 60 * SECOND;
const REBOOT_MS = 10 * MINUTE;
const REFRESH_MS = 2 * MINUTE;
const ANSWER_SECONDS = 30;

/** The device is done when it is online again. */
export const rebootKind: JobKind<Record<string, never>> = {
  name: 'reboot',
  permission: 'execute_device_actions',
  targetTimeoutMs: () => REBOOT_MS,
  skipReason: () => undefined,
  runs: { on: 'device', command: () => ({ verb: 'reboot', timeoutSeconds: ANSWER_SECONDS, body: '' }) },
};

/** The device reports at once. */
export const refreshKind: JobKind<Record<string, never>> = {
  name: 'refresh',
  permission: 'execute_device_actions',
  targetTimeoutMs: () => REFRESH_MS,
  skipReason: () => undefined,
  runs: { on: 'device', command: () => ({ verb: 'refresh', timeoutSeconds: ANSWER_SECONDS, body: '' }) },
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
  targetTimeoutMs: (input) => input.timeout * SECOND + WAITING_MS,
  skipReason: () => undefined,
  runs: { on: 'device', command: (input) => ({ verb: 'run', timeoutSeconds: input.timeout, body: input.command }) },
};
