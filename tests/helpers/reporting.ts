import type { Row } from '../../server/db/schema.ts';
import type { UpTopic } from '../../server/edges/mqtt/types.ts';
import { recordingChannel } from './recording-channel.ts';
import { makeWorld, type World, type WorldOptions } from './world.ts';

/** A world in which a test speaks as a device: `say` resolves when the server has written what it made of it, `sayAll` as many that speak at once. */
export async function makeReportingWorld(options: WorldOptions = {}) {
  const channel = recordingChannel();
  const world = Object.assign(await makeWorld({ ...options, parts: { devices: async () => channel } }), { commands: channel.commands });
  const say = async (device: Row<'devices'>, topic: UpTopic, payload: Record<string, unknown>): Promise<void> => {
    await channel.handlers?.deliver([{ kind: 'message', message: { deviceKey: device.device_key, topic, payload } }]);
  };
  const sayAll = async (devices: readonly Row<'devices'>[], topic: UpTopic, payload: Record<string, unknown>): Promise<void> => {
    await channel.handlers?.deliver(
      devices.map(({ device_key }) => ({ kind: 'message', message: { deviceKey: device_key, topic, payload } })),
    );
  };
  return { world, say, sayAll, channel };
}

/** Lets hours pass in which devices could be heard, without the works of every ten seconds. */
export async function passTime({ clock, ctx }: World, ms: number): Promise<void> {
  await clock.jump(ms);
  await ctx.db.deleteFrom('deaf_periods').execute();
  await ctx.db.deleteFrom('installation').where('key', '=', 'hearing').execute();
}
