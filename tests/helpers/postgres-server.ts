import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findPostgres } from '../../scripts/find-program.ts';
import { freePort } from './free-port.ts';
import { findRoomyFolder } from './test-database.ts';

const NEEDED_BYTES = 4 * 1024 ** 3;
const READY = /ready to accept connections/;
/** Nothing of a run outlives it, so nothing waits for the disk. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'lc_messages=C',
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'shared_buffers=256MB',
  'autovacuum=off',
  'synchronous_commit=off',
  // Databases of a few rows without statistics: compiling a plan, or sharing it among processes, takes longer than running it.
  'jit=off',
  'max_parallel_workers_per_gather=0',
  'max_connections=300',
];
/** Ends the server and removes its folder when its input ends, which it also does when the process that started it is killed. */
const WITH_ITS_PARENT = 'exec 3<&0; "$@" </dev/null & server=$!; read -r _ <&3; kill -INT $server; wait $server; rm -rf "$0"';

/** A PostgreSQL of one test run. */
export interface TestPostgres {
  url: string;
  stop(): Promise<void>;
}

/** Who runs the server: it refuses to be root. */
function findOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Starts an empty PostgreSQL at a free port of loopback, in memory where there is room. Throws when PostgreSQL is not installed. */
export async function startPostgres(): Promise<TestPostgres> {
  const programs = findPostgres();
  if (!programs) throw new Error('PostgreSQL is not installed: run npm test, or leave these tests out with --project node');
  const owner = findOwner();
  const folder = mkdtempSync(join(findRoomyFolder(NEEDED_BYTES), 'canopy-postgres-'));
  const data = join(folder, 'data');
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const options = { ...owner, cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8' } };
  execFileSync(join(programs, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-sync'], options);
  const port = await freePort();
  const settings = [...SETTINGS, `unix_socket_directories=${data}`].flatMap((setting) => ['-c', setting]);
  const server = spawn('sh', ['-c', WITH_ITS_PARENT, folder, join(programs, 'postgres'), '-D', data, '-p', String(port), ...settings], {
    ...options,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => {
    server.once('close', () => resolve());
  });
  const stop = async (): Promise<void> => {
    server.stdin.end();
    await ended;
  };
  let said = '';
  const isReady = await new Promise<boolean>((resolve) => {
    createInterface({ input: server.stderr }).on('line', (line) => {
      said = `${said}${line}\n`.slice(-4000);
      if (READY.test(line)) resolve(true);
    });
    void ended.then(() => resolve(false));
  });
  if (!isReady) {
    await stop();
    throw new Error(`PostgreSQL did not start:\n${said}`);
  }
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop };
}
