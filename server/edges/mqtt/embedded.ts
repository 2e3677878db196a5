import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { listenFault, type ListenPlace } from '../../kernel/listen-fault.ts';
import { createPasswordChecks } from './password-checks.ts';
import { encodeCommand } from './topics.ts';
import type { ChannelHandlers, DeviceChannel } from './types.ts';
import type { BrokerOptions, FromBroker, ToBroker } from './worker-messages.ts';

interface EmbeddedOptions extends BrokerOptions {
  /** The names of those that host and port come from. */
  settings: Pick<ListenPlace, 'hostSetting' | 'portSetting'>;
  log: Logger;
  now(): number;
}

/** Starts the embedded broker in its thread. Rejects with ConfigError when the port is taken or the machine has no such address. */
export async function openEmbeddedBroker(options: EmbeddedOptions): Promise<DeviceChannel> {
  const { host, port, settings, log, now } = options;
  const cacheDir = getCompileCacheDir();
  const worker = new Worker(new URL('./broker-worker.ts', import.meta.url), {
    workerData: { host, port } satisfies BrokerOptions,
    env: { ...process.env, ...(cacheDir === undefined ? {} : { NODE_COMPILE_CACHE: cacheDir }) },
  });
  const post = (message: ToBroker): void => worker.postMessage(message);
  const sending = new Map<number, () => void>();
  let handlers: ChannelHandlers | undefined;
  let nextSend = 1;
  let isStopping = false;
  const checks = createPasswordChecks(
    async (deviceKey, password) => (await handlers?.verify(deviceKey, password)) ?? false,
    (id, isRight) => post({ type: 'verified', answers: [{ id, isRight }] }),
  );
  let whenStopped: (() => void) | undefined;

  const opened = Promise.withResolvers<number>();
  worker.on('message', (message: FromBroker) => {
    switch (message.type) {
      case 'ready':
        opened.resolve(message.port);
        break;
      case 'failed':
        opened.reject(
          listenFault({ host, port, ...settings }, message.code) ?? new Error(`MQTT broker on ${host}:${port}: ${message.message}`),
        );
        break;
      case 'verify':
        checks.add(message.questions);
        break;
      case 'events':
        void handlers?.deliver(message.events).then(() => post({ type: 'durable', batch: message.batch }));
        break;
      case 'sent':
        sending.get(message.id)?.();
        sending.delete(message.id);
        break;
      case 'stopped':
        whenStopped?.();
        break;
    }
  });
  worker.on('error', (error) => {
    opened.reject(error);
    if (isStopping) return;
    log.fatal({ err: error }, 'the MQTT broker stopped');
    // Without devices the server would look healthy and be useless: end, so that the service manager starts it again.
    process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
  });

  const usedPort = await opened.promise.catch(async (error: unknown) => {
    isStopping = true;
    await worker.terminate();
    throw error;
  });
  return {
    address: { host, port: usedPort, isTls: false },
    async listen(given) {
      handlers = given;
      post({ type: 'open' });
    },
    isShared: false,
    isConnected: () => !isStopping,
    send(deviceKey, command) {
      const id = nextSend++;
      return new Promise((resolve) => {
        sending.set(id, resolve);
        post({ type: 'send', id, deviceKey, text: encodeCommand(command, now()) });
      });
    },
    // The embedded broker asks the server for each sign-in, so it keeps no list of its own.
    admit: async () => {},
    async disconnect(deviceKey) {
      post({ type: 'disconnect', deviceKey });
    },
    async suspend(deviceKey) {
      post({ type: 'disconnect', deviceKey });
    },
    resume: async () => {},
    async expel(deviceKey) {
      post({ type: 'disconnect', deviceKey });
    },
    async [Symbol.asyncDispose]() {
      if (isStopping) return;
      isStopping = true;
      const stopped = new Promise<void>((resolve) => {
        whenStopped = resolve;
      });
      worker.once('exit', () => whenStopped?.());
      post({ type: 'stop' });
      await stopped;
      await worker.terminate();
      for (const resolve of sending.values()) resolve();
    },
  };
}
