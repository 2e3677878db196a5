import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { DeviceChannel } from './edges/mqtt/types.ts';
import type { Clock } from './kernel/clock.ts';
import type { Database } from './kernel/db/database.ts';
import type { Jobs } from './kernel/jobs/types.ts';
import type { Live } from './kernel/live/types.ts';

/** What every use case may need; made once at start, passed first. */
export interface Context {
  config: Config;
  database: Database;
  /** Writes, and reads that must see them. */
  db: Database['db'];
  /** Reads that may run beside a writer. */
  reads: Database['reads'];
  clock: Clock;
  log: Logger;
  /** 32 bytes; signs forgery tokens, seals secrets. */
  secretKey: Buffer;
  live: Live;
  jobs: Jobs;
  devices: DeviceChannel;
  /** Address by which people and devices reach this server, without a trailing slash. */
  publicUrl(): string;
}
