import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function keyFor(secretKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', `canopy seal ${purpose}`, 64));
}

/**
 * Encrypts a text for the database (AES-256-GCM), for one purpose only. The nonce comes from the text itself, so that the same text gives the same
 * answer: equal jobs are found to be equal without opening them.
 */
export function sealText(secretKey: Buffer, purpose: string, text: string): string {
  const key = keyFor(secretKey, purpose);
  const nonce = createHmac('sha256', key.subarray(32)).update(text).digest().subarray(0, NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.subarray(0, 32), nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

/** The text of `sealText`. Throws Error when it was made with another key, for another purpose, or changed. */
export function openSealed(secretKey: Buffer, purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', keyFor(secretKey, purpose).subarray(0, 32), nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
}
