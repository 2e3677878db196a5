import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

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
