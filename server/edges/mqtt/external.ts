import { randomUUID } from 'node:crypto';
import mqtt from 'mqtt';
import { ConfigError, shownUrl } from '../../config.ts';
import type { Logger } from 'pino';
import { createDynamicSecurity, RESPONSE_TOPIC } from './dynamic-security.ts';
import { parsePayload } from './payload.ts';
import { commandTopic, encodeCommand, parseUpTopic } from './topics.ts';
import type { ChannelEvent, ChannelHandlers, DeviceChannel } from './types.ts';

/** Server processes share the load: each message goes to one of them. */
const SHARED_UP = '$share/canopy/canopy/+/up/#';
const CONNECT_WITHIN_MS = 10_000;
const RECONNECT_MS = 1000;
const SEND_WITHIN_MS = 5000;
const BATCH_MS = 20;
const BATCH_SIZE = 500;
const TLS_PORT = 8883;
const PLAIN_PORT = 1883;

/**
 * The device channel over a broker of the operator's (MQTT_URL): mosquitto 2 with its dynamic security plugin, whose administrator
 * is the user of the address. Set up on the broker's side:
 * `mosquitto_ctrl dynsec init dynsec.json canopy PASSWORD`, then in mosquitto.conf `per_listener_settings false`,
 * `allow_anonymous false`, `plugin …/mosquitto_dynamic_security.so`, `plugin_opt_config_file …/dynsec.json`, `max_packet_size 132096`.
 *
 * What differs from the embedded broker: messages are acknowledged when they arrive, not when they are written, so a crash can lose
 * the last tenth of a second of reports (answers to commands are asked for again); sign-ins that the broker refuses are not seen;
 * devices that joined through another broker must join again, because only hashes of their passwords are kept.
 */
export async function openExternalBroker({ url, log, now }: { url: string; log: Logger; now(): number }): Promise<DeviceChannel> {
  const address = new URL(url);
  const isTls = address.protocol === 'mqtts:';
  const port = Number(address.port) || (isTls ? TLS_PORT : PLAIN_PORT);
  const place = `${address.hostname}:${port}`;
  const client = mqtt.connect(`${isTls ? 'mqtts' : 'mqtt'}://${place}`, {
    username: decodeURIComponent(address.username),
    password: decodeURIComponent(address.password),
    clientId: `canopy-server-${randomUUID()}`,
    clean: true,
    keepalive: 30,
    reconnectPeriod: RECONNECT_MS,
    resubscribe: true,
  });
  const security = createDynamicSecurity(client);
  let handlers: ChannelHandlers | undefined;
  let events: ChannelEvent[] = [];
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const batch = events;
    events = [];
    if (batch.length > 0) void handlers?.deliver(batch);
  }

  function takeUp(topic: string, bytes: Buffer): void {
    const parts = parseUpTopic(topic);
    if (!parts) return;
    const parsed = parsePayload(bytes);
    events.push(
      'payload' in parsed
        ? { kind: 'message', message: { ...parts, payload: parsed.payload } }
        : { kind: 'unreadable', deviceKey: parts.deviceKey, topic, why: parsed.why, bytes: bytes.length },
    );
    if (events.length >= BATCH_SIZE) flush();
    else timer ??= setTimeout(flush, BATCH_MS);
  }

  client.on('message', (topic, bytes) => {
    try {
      if (topic === RESPONSE_TOPIC) security.take(bytes);
      else takeUp(topic, bytes);
    } catch (error) {
      log.warn({ err: error, topic }, 'a message of the MQTT broker could not be read');
    }
  });
  try {
    await connected(client);
    await client.subscribeAsync(RESPONSE_TOPIC, { qos: 1 });
    await security.prepare(decodeURIComponent(address.username));
  } catch (error) {
    client.end(true);
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`MQTT_URL="${shownUrl(url)}": the MQTT broker cannot be used (${reason}).`);
  }
  client.on('error', (error) => log.warn({ err: error, broker: place }, 'the MQTT broker could not be reached'));
  client.on('close', () => log.warn({ broker: place }, 'the MQTT broker is not connected'));

  return {
    address: { host: address.hostname, port, isTls },
    async listen(given) {
      handlers = given;
      await client.subscribeAsync(SHARED_UP, { qos: 1 });
    },
    isShared: true,
    isConnected: () => client.connected,
    async send(deviceKey, command) {
      if (!client.connected) throw new Error(`the MQTT broker ${place} is not connected`);
      await within(SEND_WITHIN_MS, client.publishAsync(commandTopic(deviceKey), encodeCommand(command, now()), { qos: 1 }));
    },
    admit: (deviceKey, password) => security.admit(deviceKey, password),
    disconnect: (deviceKey) => security.disconnect(deviceKey),
    suspend: (deviceKey) => security.suspend(deviceKey),
    resume: (deviceKey) => security.resume(deviceKey),
    expel: (deviceKey) => security.expel(deviceKey),
    async [Symbol.asyncDispose]() {
      client.removeAllListeners('close');
      flush();
      await client.endAsync(true);
    },
  };
}

async function connected(client: mqtt.MqttClient): Promise<void> {
  let lastProblem = 'no answer';
  client.on('error', (error) => {
    lastProblem = error.message || String(error);
  });
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(lastProblem)), CONNECT_WITHIN_MS);
    client.once('connect', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the MQTT broker did not answer in time')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
