import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

// Brokers and database servers are here, which is not on the PATH of every user.
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/** Whether this user may run the file. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of the first of these programs that is on PATH or in a folder of system programs. */
export function findOnPath(names: readonly string[]): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), ...SYSTEM_FOLDERS];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

const majorOf = (path: string): number => Number(/\/(\d+)\/bin\//.exec(path)?.[1] ?? 0);

/** The folder with PostgreSQL's server programs: Debian's newest version, else the one on PATH; undefined when there is none. */
export function findPostgres(): string | undefined {
  const versions = globSync('/usr/lib/postgresql/*/bin/initdb').sort((left, right) => majorOf(right) - majorOf(left));
  const program = versions.find(isExecutable) ?? findOnPath(['initdb']);
  return program && dirname(program);
}
