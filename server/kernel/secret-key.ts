import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '../config.ts';

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
 * Made on first start. Throws ConfigError when the file cannot be read, cannot be made or holds something else.
 */
export function loadSecretKey(file: string): Buffer {
  const known = readKey(file);
  if (known) {
    if (known.length !== KEY_BYTES) throw new ConfigError(`SECRET_KEY_FILE="${file}": expected ${KEY_BYTES} bytes as base64`);
    return known;
  }
  const key = randomBytes(KEY_BYTES);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new ConfigError(`SECRET_KEY_FILE="${file}": cannot be made (${error instanceof Error ? error.message : String(error)})`);
  }
  return key;
}
