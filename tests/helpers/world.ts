import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { loadConfig, type Config } from '../../server/config.ts';
import type { Context, Parts } from '../../server/context.ts';
import type { DeviceCommand } from '../../server/edges/mqtt/types.ts';
import { createLog } from '../../server/kernel/log.ts';
import type { App } from '../../server/kernel/route.ts';
import { startServer } from '../../server/main.ts';
import { recordingChannel } from './recording-channel.ts';
import { testClock, type TestClock } from './test-clock.ts';
import { makeTestDatabase } from './test-database.ts';

/** The real server on a database of its own, with a clock that tests move. */
export interface World extends AsyncDisposable {
  ctx: Context;
  app: App;
  clock: TestClock;
  /** With `listen: true` where it listens; else an address that nothing answers at. */
  url: string;
  /** The one-time link for the first administrator, while there is no user. */
  setUpUrl: string | undefined;
  /** Commands handed to the device channel, oldest first; empty with `broker: true`. */
  commands: { deviceKey: string; command: DeviceCommand }[];
  /** What was logged, as text: one JSON object a line. */
  log(): string;
}

export interface WorldOptions {
  /** Opens a port on loopback, and the live channel with it. */
  listen?: boolean;
  /** Runs the real MQTT broker instead of the recording device channel. */
  broker?: boolean;
  config?: Partial<Config>;
  parts?: Partial<Parts>;
  /** Built files of the console; none by default. */
  consoleDir?: string;
}

const SECRET_KEY = randomBytes(32).toString('base64');

function configOf(dataDir: string, databaseUrl: string | undefined, options: WorldOptions): Config {
  return {
    ...loadConfig(
      { DATA_DIR: dataDir, PORT: '0', MQTT_PORT: '0', TUNNEL_PORT: '0', REMOTE_PORT: '0', LOG_LEVEL: 'warn' },
      join(dataDir, 'canopy.config.json'),
    ),
    databaseUrl,
    ...(options.listen ? {} : { publicUrl: 'http://127.0.0.1:8080' }),
    ...options.config,
  };
}

function openHandles(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap' || kind === 'TCPSocketWrap').length;
}

/** Handles beyond those of before. The other end of a connection may take a moment to hang up, so that is waited for. */
async function handlesLeft(before: number): Promise<number> {
  for (let turn = 0; turn < 400 && openHandles() > before; turn += 1) await setTimeout(5);
  return openHandles() - before;
}

/** Starts a world. `await using world = await makeWorld()`; its end fails the test when a timer or a socket is left. */
export async function makeWorld(options: WorldOptions = {}): Promise<World> {
  const handlesBefore = openHandles();
  const database = await makeTestDatabase();
  const clock = testClock();
  const lines: string[] = [];
  const channel = recordingChannel();
  const config = configOf(database.dataDir, database.url, options);
  writeFileSync(config.secretKeyFile, SECRET_KEY, { mode: 0o600 });
  const server = await startServer(config, {
    clock,
    log: createLog(config.logLevel, { write: (line: string) => void lines.push(line) }),
    parts: { ...(options.broker ? {} : { devices: async () => channel }), ...options.parts },
    isListening: options.listen === true,
    consoleDir: options.consoleDir ?? join(database.dataDir, 'no-console'),
  }).catch(async (error: unknown) => {
    await database.remove();
    throw error;
  });
  return {
    ctx: server.ctx,
    app: server.app,
    clock,
    url: server.url,
    setUpUrl: server.setUpUrl,
    commands: channel.commands,
    log: () => lines.join(''),
    async [Symbol.asyncDispose]() {
      await server.close();
      await database.remove();
      if (clock.pending() > 0) throw new Error(`${clock.pending()} timed works are left after the end of the world`);
      const left = await handlesLeft(handlesBefore);
      if (left > 0) throw new Error(`${left} sockets are left after the end of the world`);
    },
  };
}
