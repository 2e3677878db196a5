import { randomBytes } from 'node:crypto';
import type { Context } from '../../context.ts';
import { MINUTE } from '../../kernel/clock.ts';

const COMMAND_SECONDS = 10;

/** Asks a device to report as often as people want; one that is offline is asked when it is back. Never rejects. */
export async function sendPeriod(ctx: Pick<Context, 'devices' | 'clock' | 'log'>, deviceKey: string, seconds: number): Promise<void> {
  const id = randomBytes(15).toString('base64url');
  const command = { id, verb: 'settings', deadlineAt: ctx.clock.now() + MINUTE, timeoutSeconds: COMMAND_SECONDS } as const;
  await ctx.devices
    .send(deviceKey, { ...command, body: `report_seconds=${seconds}\n` })
    .catch((error: unknown) => ctx.log.warn({ err: error, device: deviceKey }, 'a device could not be given its period'));
}
