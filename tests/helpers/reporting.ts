import type { Row } from '../../server/db/schema.ts';
import type { UpTopic } from '../../server/edges/mqtt/types.ts';
import { recordingChannel } from './recording-channel.ts';
import { makeWorld, type WorldOptions } from './world.ts';

/** A world in which a test speaks as a device: `say` resolves when the server has written what it made of it. */
export async function makeReportingWorld(options: WorldOptions = {}) {
  const channel = recordingChannel();
  const world = Object.assign(await makeWorld({ ...options, parts: { devices: async () => channel } }), { commands: channel.commands });
  const say = async (device: Row<'devices'>, topic: UpTopic, payload: Record<string, unknown>): Promise<void> => {
    await channel.handlers?.deliver([{ kind: 'message', message: { deviceKey: device.device_key, topic, payload } }]);
  };
  return { world, say, channel };
}
