import { randomBytes } from 'node:crypto';
import type { Context } from '../../context.ts';
import { MINUTE, SECOND } from '../../kernel/clock.ts';

const ANSWER_TIME_MS = 5 * SECOND;
const COMMAND_LIFETIME_MS = 1 * MINUTE;

/** Instructs removed devices to delete their credentials, then ends their sessions. Call after the commit that removed them. */
export async function revokeCredentials(ctx: Pick<Context, 'devices' | 'clock' | 'log'>, deviceKeys: readonly string[]): Promise<void> {
  if (deviceKeys.length === 0) return;
  const deadlineAt = ctx.clock.now() + COMMAND_LIFETIME_MS;
  const attempt = async (work: Promise<void>, deviceKey: string): Promise<void> => {
    try {
      await work;
    } catch (error) {
      ctx.log.warn({ err: error, device: deviceKey }, 'a removed device could not be instructed to delete its credentials');
    }
  };
  const command = { verb: 'forget', deadlineAt, timeoutSeconds: 10, body: '' } as const;
  await Promise.all(
    deviceKeys.map((key) => attempt(ctx.devices.send(key, { ...command, id: randomBytes(15).toString('base64url') }), key)),
  );
  ctx.clock.after(ANSWER_TIME_MS, async () => {
    await Promise.all(deviceKeys.map((key) => attempt(ctx.devices.expel(key), key)));
  });
}
