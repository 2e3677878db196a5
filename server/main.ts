import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { networkInterfaces } from 'node:os';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { ConfigError, describeSettings, loadConfig, type Config } from './config.ts';
import { createContext, type Context, type Parts } from './context.ts';
import { openLocalFiles } from './edges/files/open-local-files.ts';
import { openMailer, openMailServer } from './edges/smtp/open-mailer.ts';
import { holdFolder } from './db/hold-folder.ts';
import { openVpnHelper } from './edges/vpn/open-helper.ts';
import { migrateToLatest } from './db/migrate.ts';
import { removeRecordings } from './domain/remote/recording.ts';
import { openCells, placeByCells } from './domain/places/open-cells.ts';
import { issueSetUpToken } from './features/set-up/set-up-token.ts';
import { syncBuiltInRoles } from './kernel/auth/sync-roles.ts';
import { HOUR, SECOND, systemClock, type Clock } from './kernel/clock.ts';
import { startCleaning } from './kernel/db/clean.ts';
import { openDatabase, updateStatistics } from './kernel/db/database.ts';
import { requirePostgres } from './kernel/db/require-postgres.ts';
import { listenFault } from './kernel/listen-fault.ts';
import { createLog } from './kernel/log.ts';
import { requireFolder } from './kernel/make-folder.ts';
import type { App } from './kernel/route.ts';
import { loadKeyOf } from './key-check.ts';
import { parts as realParts } from './parts.ts';

const STOP_WITHIN_MS = 10 * SECOND;
const DRAIN_MS = 5 * SECOND;

/** What tests replace; the product runs without. */
export interface Overrides {
  clock?: Clock;
  log?: Logger;
  parts?: Partial<Parts>;
  /** Does not open a port; calls come through `app.fastify.inject`. */
  isListening?: boolean;
  /** The console's built files; `dist/console` by default. */
  consoleDir?: string;
}

export interface RunningServer extends AsyncDisposable {
  /** Without a trailing slash. */
  url: string;
  ctx: Context;
  app: App;
  /** The link for the first administrator, while there is no user. */
  setUpUrl: string | undefined;
  /** Stops taking calls, lets running ones end, closes everything. */
  close(): Promise<void>;
}

function reachableHost(host: string): string {
  const isAnyAddress = host === '0.0.0.0' || host === '::';
  if (!isAnyAddress) return host.includes(':') ? `[${host}]` : host;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find((entry) => entry.family === 'IPv4' && !entry.internal)?.address ?? '127.0.0.1';
}

function portOf(app: App, fallback: number): number {
  const address = app.fastify.server.address();
  return address !== null && typeof address === 'object' ? address.port : fallback;
}

/** Connections that wait to be accepted. Node's default of 511 leaves the others of a thousand devices without an answer for a minute. */
const LISTEN_BACKLOG = 4096;

async function listen(app: App, config: Config): Promise<void> {
  try {
    await app.fastify.listen({ port: config.port, host: config.host, backlog: LISTEN_BACKLOG });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw listenFault({ host: config.host, port: config.port, hostSetting: 'HOST', portSetting: 'PORT' }, code) ?? error;
  }
}

/**
 * Starts the whole server: database and migrations, built-in roles, key, parts, HTTP. Throws ConfigError naming the setting that is wrong;
 * whatever was opened by then is closed again.
 */
export async function startServer(config: Config, overrides: Overrides = {}): Promise<RunningServer> {
  const log = overrides.log ?? createLog(config.logLevel);
  const clock = overrides.clock ?? systemClock((error) => log.error({ err: error }, 'timed work failed'));
  requireFolder('DATA_DIR', config.dataDir, { isWritten: true });
  requireFolder('FORMS_DIR', config.formsDir);
  requireFolder('LOCALES_DIR', config.localesDir);
  if (config.databaseUrl !== undefined) await requirePostgres(config.databaseUrl);
  const stack = new AsyncDisposableStack();
  if (config.databaseUrl === undefined) {
    const held = holdFolder(config.dataDir);
    if (!held)
      throw new ConfigError(`DATA_DIR="${config.dataDir}": another server runs on this folder. Stop it, or use a folder of its own.`);
    stack.use(held);
  }
  const database = openDatabase({ url: config.databaseUrl, dataDir: config.dataDir });
  let url = config.publicUrl;
  try {
    const { isNew } = await migrateToLatest(database.db, database.tools);
    const hadKey = existsSync(config.secretKeyFile);
    const secretKey = await loadKeyOf(database.db, config.secretKeyFile);
    if (isNew && hadKey)
      log.warn('The database is empty, but there is the key of an installation. If it had data, stop now and restore a back-up.');
    await syncBuiltInRoles(database.db, database.tools, clock.now());
    const publicUrl = (): string => url ?? `http://${reachableHost(config.host)}:${config.port}`;
    const mail =
      config.smtpUrl === undefined
        ? undefined
        : openMailer(config.smtpUrl, { from: config.smtpFrom ?? `canopy@${new URL(publicUrl()).hostname}` });
    const files = openLocalFiles(join(config.dataDir, 'files'));
    const cells = await openCells(config.cellsFile, log);
    const core = { config, database, clock, log, secretKey, mail, openMailServer, openVpnHelper, files, cells, publicUrl };
    const live = stack.use(await createContext(core, { ...realParts, ...overrides.parts }));
    const app = await buildApp(live.ctx, { consoleDir: overrides.consoleDir });
    stack.defer(() => drain(app.fastify));
    if (overrides.isListening === false) await app.fastify.ready();
    else await listen(app, config);
    await live.start(app.fastify.server);
    stack.defer(() => live.ctx.live.endAll());
    url ??= `http://${reachableHost(config.host)}:${portOf(app, config.port)}`;
    stack.defer(startCleaning(live.ctx, { remote_sessions: (ids) => removeRecordings(live.ctx, ids) }));
    if (database.file !== undefined) stack.defer(clock.every(HOUR, () => updateStatistics(database.db)));
    if (cells.size > 0) await placeByCells(live.ctx);
    const token = await issueSetUpToken(live.ctx);
    return {
      url,
      ctx: live.ctx,
      app,
      setUpUrl: token && `${url}/set-up?token=${token}`,
      close: () => stack.disposeAsync(),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

/** Takes no more calls, gives those under way some seconds to end, and cuts off the rest, such as the download of a slow reader. */
async function drain(fastify: FastifyInstance): Promise<void> {
  const late = setTimeout(() => fastify.server.closeAllConnections(), DRAIN_MS);
  await fastify.close();
  clearTimeout(late);
}

async function stop(server: RunningServer): Promise<void> {
  const late = setTimeout(() => {
    server.ctx.log.error('the server did not stop in time');
    process.exit(1);
  }, STOP_WITHIN_MS);
  late.unref();
  await server.close();
  clearTimeout(late);
}

/** Starts the server, says where it is, and stops it on SIGTERM or Ctrl-C. */
export async function runServer(config: Config): Promise<RunningServer> {
  const server = await startServer(config);
  process.stdout.write(`Canopy is ready at ${server.url}\n`);
  if (server.setUpUrl) process.stdout.write(`There is no user yet. Make the first administrator at ${server.setUpUrl}\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(server));
  return server;
}

const END_WITHIN_MS = 3 * SECOND;

/** Ends the process after a start that failed, although something already started may keep it alive: service managers would take it for running. */
function endFailed(): void {
  process.exitCode = 1;
  setTimeout(() => process.exit(), END_WITHIN_MS).unref();
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(`${describeSettings()}\n`);
    return;
  }
  await runServer(loadConfig());
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof ConfigError ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
    endFailed();
  });
}
