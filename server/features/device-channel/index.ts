import { HEARING_PERIOD_MS, noteHearing } from '../../domain/devices/hearing.ts';
import { isDevicePassword } from '../../domain/devices/credentials.ts';
import type { App } from '../../kernel/route.ts';
import { createRules } from './apply-event.ts';
import { registerEnrolment } from './enrol-route.ts';
import { createIngest } from './ingest.ts';
import { createIntake } from './intake.ts';
import { sweepSilent } from './sweep.ts';

/** Devices join, sign in and speak: the enrolment call, and everything that comes up the device channel. */
export function registerDeviceChannel(app: App): void {
  const { ctx, fastify } = app;
  const rules = createRules(() => ctx.clock.now(), {
    rawMs: ctx.config.telemetryRawMs,
    isShared: () => ctx.devices.isShared,
  });
  const ingest = createIngest(
    ctx,
    rules,
    createIntake(ctx.config, () => ctx.clock.now()),
  );
  const stops: (() => void)[] = [];
  registerEnrolment(app);

  async function verify(deviceKey: string, password: string): Promise<boolean> {
    try {
      const device = await ctx.reads
        .selectFrom('devices')
        .select(['credential_hash', 'monitoring_enabled'])
        .where('device_key', '=', deviceKey)
        .executeTakeFirst();
      return device?.monitoring_enabled !== 0 && isDevicePassword(password, device?.credential_hash);
    } catch (error) {
      ctx.log.error({ err: error, device: deviceKey }, 'a device could not be checked');
      return false;
    }
  }

  fastify.addHook('onReady', async () => {
    await ctx.devices.listen({ verify, deliver: (events) => ingest.deliver(events) });
    const sweep = async (isStart = false): Promise<void> => {
      // A server that cannot hear devices says nothing of them.
      if (ctx.devices.isConnected()) await sweepSilent(ctx, rules, await noteHearing(ctx, { isStart }));
    };
    await sweep(true);
    stops.push(ctx.clock.every(HEARING_PERIOD_MS, () => sweep()));
  });
  fastify.addHook('onClose', async () => {
    for (const stop of stops) stop();
    await ingest.stop();
  });
}
