import type { Context } from '../../context.ts';
import { openEmbeddedBroker } from './embedded.ts';
import type { DeviceChannel } from './types.ts';

/** Opens the way to the devices: the embedded broker, or the one of MQTT_URL. Rejects when the port is taken or the broker cannot be reached. */
export async function openDeviceChannel(ctx: Pick<Context, 'config' | 'log' | 'clock'>): Promise<DeviceChannel> {
  const { config, log, clock } = ctx;
  const now = (): number => clock.now();
  if (config.mqttUrl) {
    const { openExternalBroker } = await import('./external.ts');
    return openExternalBroker({ url: config.mqttUrl, log, now });
  }
  // Without one of its own the broker listens where the console does.
  const settings = { hostSetting: config.mqttHost === config.host ? 'HOST' : 'MQTT_HOST', portSetting: 'MQTT_PORT' };
  return openEmbeddedBroker({ host: config.mqttHost, port: config.mqttPort, settings, log, now });
}
