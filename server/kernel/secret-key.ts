import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '../config.ts';
import { makePrivateFolder } from './make-folder.ts';

const KEY_BYTES = 32;

function readKey(file: string): Buffer | undefined {
  try {
    return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new ConfigError(`SECRET_KEY_FILE="${file}": cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
}

/**
 * The key that signs forgery tokens and derives session tokens: 32 bytes, kept as base64 in a file of its own that only its owner may read.
 * undefined when there is no such file. Throws ConfigError when it cannot be read or holds something else.
 */
export function findSecretKey(file: string): Buffer | undefined {
  const known = readKey(file);
  if (known && known.length !== KEY_BYTES) throw new ConfigError(`SECRET_KEY_FILE="${file}": expected ${KEY_BYTES} bytes as base64`);
  return known;
}

/** Likewise, and makes the key where there is none. Throws ConfigError when it cannot be made, too. */
export function loadSecretKey(file: string): Buffer {
  const known = findSecretKey(file);
  if (known) return known;
  const key = randomBytes(KEY_BYTES);
  try {
    makePrivateFolder(dirname(file));
    writeFileSync(file, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new ConfigError(`SECRET_KEY_FILE="${file}": cannot be made (${error instanceof Error ? error.message : String(error)})`);
  }
  return key;
}
