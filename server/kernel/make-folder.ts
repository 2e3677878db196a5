import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '../config.ts';

/**
 * Makes a folder, and those above it, that only their owner may enter; one that is there stays as it is. Throws the system's error when it cannot.
 */
export function makePrivateFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  // @NOTE Node's own `recursive` never ends below a folder like /proc, where nothing can be made.
  if (parent !== path) makePrivateFolder(parent);
  mkdirSync(path, { mode: 0o700 });
}

/** Makes the folder of a setting where it is missing. Throws ConfigError when that cannot be done, or when it cannot be read; with `isWritten`, or written to. */
export function requireFolder(setting: string, dir: string, { isWritten = false } = {}): void {
  const fail = (what: string, error: unknown): never => {
    throw new ConfigError(`${setting}="${dir}": ${what} (${error instanceof Error ? error.message : String(error)})`);
  };
  try {
    makePrivateFolder(dir);
  } catch (error) {
    fail('cannot be made', error);
  }
  if (!statSync(dir).isDirectory()) throw new ConfigError(`${setting}="${dir}": expected a folder, this is a file`);
  try {
    accessSync(dir, constants.R_OK | constants.X_OK | (isWritten ? constants.W_OK : 0));
  } catch (error) {
    fail(isWritten ? 'cannot be written to' : 'cannot be read', error);
  }
}
