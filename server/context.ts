import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { FileStore } from './edges/files/types.ts';
import type { DeviceChannel } from './edges/mqtt/types.ts';
import type { Mailer, OpenMailServer } from './edges/smtp/types.ts';
import type { HelperPlace, VpnHelper } from './edges/vpn/types.ts';
import type { Clock } from './kernel/clock.ts';
import type { Database } from './kernel/db/database.ts';
import { createDeviceWatchers, type DeviceWatchers } from './domain/devices/watchers.ts';
import type { CellTable } from './domain/places/cell-table.ts';
import type { Jobs } from './domain/jobs/types.ts';
import { createCostly, type Costly } from './kernel/costly/create-costly.ts';
import { createDeviceForms, type DeviceForms } from './kernel/device-forms.ts';
import type { Live } from './kernel/live/types.ts';
import type { Remote } from './domain/remote/types.ts';

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
  /** undefined without SMTP_URL: mails are kept in the mailbox then. */
  mail: Mailer | undefined;
  /** The way to the mail server of a company. */
  openMailServer: OpenMailServer;
  /** The program that runs VPN hubs, here or on another machine. */
  openVpnHelper: (place: HelperPlace) => VpnHelper;
  files: FileStore;
  /** Where mobile cells are, by the table of this installation. */
  cells: CellTable;
  live: Live;
  jobs: Jobs;
  devices: DeviceChannel;
  remote: Remote;
  deviceWatchers: DeviceWatchers;
  deviceForms: DeviceForms;
  /** Work whose cost its caller chooses. */
  costly: Costly;
  /** Address by which people and devices reach this server, without a trailing slash. */
  publicUrl(): string;
}

/** A part with a life of its own: started once the app is built, ended when the server stops. */
export interface Part extends AsyncDisposable {
  start(http: Server): Promise<void>;
}

/** The parts that need the whole context themselves. `createContext` makes them in this order. */
export interface Parts {
  live(ctx: Context): Live & Part;
  jobs(ctx: Context): Jobs & Part;
  devices(ctx: Context): Promise<DeviceChannel>;
  remote(ctx: Context): Remote & Part;
}

export interface LiveContext extends AsyncDisposable {
  ctx: Context;
  /** Starts live channel and jobs on the HTTP server. */
  start(http: Server): Promise<void>;
}

function pending<T>(name: string): { get(): T; set(value: T): T } {
  let held: { value: T } | undefined;
  return {
    get() {
      if (!held) throw new Error(`ctx.${name} is used before it is made: see the start order in server/context.ts`);
      return held.value;
    },
    set(value) {
      held = { value };
      return value;
    },
  };
}

/** Makes the context and its parts. Disposing it ends the parts in reverse order, then the database. */
export async function createContext(
  core: Omit<Context, 'db' | 'reads' | 'live' | 'jobs' | 'devices' | 'remote' | 'deviceWatchers' | 'deviceForms' | 'costly'>,
  parts: Parts,
): Promise<LiveContext> {
  const live = pending<Live & Part>('live');
  const jobs = pending<Jobs & Part>('jobs');
  const devices = pending<DeviceChannel>('devices');
  const remote = pending<Remote & Part>('remote');
  const ctx: Context = {
    ...core,
    deviceWatchers: createDeviceWatchers(),
    deviceForms: createDeviceForms(),
    costly: createCostly(),
    get db() {
      return core.database.db;
    },
    get reads() {
      return core.database.reads;
    },
    get live() {
      return live.get();
    },
    get jobs() {
      return jobs.get();
    },
    get devices() {
      return devices.get();
    },
    get remote() {
      return remote.get();
    },
  };
  const stack = new AsyncDisposableStack();
  stack.use(core.database);
  try {
    stack.use(live.set(parts.live(ctx)));
    stack.use(devices.set(await parts.devices(ctx)));
    stack.use(jobs.set(parts.jobs(ctx)));
    stack.use(remote.set(parts.remote(ctx)));
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
  return {
    ctx,
    async start(http) {
      await live.get().start(http);
      await jobs.get().start(http);
      await remote.get().start(http);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
