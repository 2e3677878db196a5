import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Keeps other servers off a folder with a SQLite database for as long as this one runs: a lock of the system, which ends with the process however
 * that ends. undefined when another server has it.
 */
export function holdFolder(dataDir: string): Disposable | undefined {
  const lock = new DatabaseSync(join(dataDir, 'server.lock'));
  try {
    // Nothing is written: it holds on a full disk, too.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    return undefined;
  }
  return { [Symbol.dispose]: () => lock.close() };
}
