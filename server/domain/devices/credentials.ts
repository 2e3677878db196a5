import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const KEY_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const KEY_LENGTH = 20;
const PASSWORD_BYTES = 30;

export interface Credential {
  /** MQTT user name and topic part. */
  deviceKey: string;
  /** 240 random bits; sent to the device once. */
  password: string;
  hash: string;
}

/** SHA-256 in hex. Enough for 240 random bits, which nobody can guess; people's passwords need more. */
export function hashDevicePassword(password: string): string {
  return createHash('sha256').update(password).digest('hex');
}

/** A new random credential: serial and MAC are never proof of anything (docs/checks.md DV2). */
export function makeCredential(): Credential {
  const deviceKey = [...randomBytes(KEY_LENGTH)].map((byte) => KEY_ALPHABET[byte % KEY_ALPHABET.length] ?? 'a').join('');
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  return { deviceKey, password, hash: hashDevicePassword(password) };
}

const NOBODY = hashDevicePassword('');

/** Whether the password belongs to the stored hash; takes the same time for a device that does not exist. */
export function isDevicePassword(password: string, storedHash: string | undefined): boolean {
  const isEqual = timingSafeEqual(Buffer.from(hashDevicePassword(password), 'hex'), Buffer.from(storedHash ?? NOBODY, 'hex'));
  return isEqual && storedHash !== undefined;
}
