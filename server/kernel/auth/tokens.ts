import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A random token of 256 bits, as 43 characters of base64url. */
export function randomToken(bytes = TOKEN_BYTES): string {
  return randomBytes(bytes).toString('base64url');
}

/** What is stored of a token. Tokens have 256 random bits, so a plain SHA-256 cannot be searched back. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** A token that only the holder of the key can compute from another text; `purpose` keeps uses apart. */
export function deriveToken(key: Buffer, purpose: string, text: string): string {
  return createHmac('sha256', key).update(`${purpose}\n${text}`).digest('base64url');
}

/** Compares in constant time. */
export function isSameText(left: string, right: string): boolean {
  const [a, b] = [createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest()];
  return timingSafeEqual(a, b);
}
