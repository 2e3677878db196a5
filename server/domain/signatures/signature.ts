import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

/*
 * Keys and signatures as minisign (jedisct1.github.io/minisign) and OpenWrt's usign write them: a comment line, then base64 of an algorithm (2 bytes),
 * the number of the key (8 bytes), and the key (32 bytes) or the signature (64 bytes). `Ed` signs the content itself, `ED` its BLAKE2b-512.
 * minisign adds a comment that is signed together with the signature; usign does not.
 */
const KEY_BYTES = 42;
const SIGNATURE_BYTES = 74;
const KEY_NUMBER = { from: 2, to: 10 };
const COMMENT = 'untrusted comment:';
const TRUSTED = 'trusted comment: ';
// DER of an Ed25519 public key (RFC 8410) up to the key itself.
const DER_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

const verifyAsync = promisify(verify);

/** A public key for signatures. `keyId`: 16 hex digits. `publicKey`: base64 of its 32 bytes. */
export interface SigningKey {
  keyId: string;
  publicKey: string;
}

/** A signature of a file's content. */
export interface FileSignature {
  keyId: string;
  algorithm: 'Ed' | 'ED';
  signature: Buffer;
  /** What minisign signs together with the signature; undefined for usign. */
  trusted: { comment: string; signature: Buffer } | undefined;
}

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');

function bytesOf(line: string | undefined, length: number): Buffer | undefined {
  if (line === undefined || !/^[A-Za-z0-9+/]+={0,2}$/.test(line)) return undefined;
  const bytes = Buffer.from(line, 'base64');
  return bytes.length === length ? bytes : undefined;
}

// Numbers are written as little-endian, so that tools show them turned round; both tools show these bytes.
const keyIdOf = (bytes: Buffer): string => bytes.subarray(KEY_NUMBER.from, KEY_NUMBER.to).toString('hex').toUpperCase();

/** Reads a public key of minisign or usign, with or without its comment line; undefined for anything else. */
export function readPublicKey(text: string): SigningKey | undefined {
  const lines = linesOf(text).filter((line) => !line.startsWith(COMMENT));
  const bytes = lines.length === 1 ? bytesOf(lines[0], KEY_BYTES) : undefined;
  if (!bytes || bytes.toString('latin1', 0, 2) !== 'Ed') return undefined;
  return { keyId: keyIdOf(bytes), publicKey: bytes.subarray(KEY_NUMBER.to).toString('base64') };
}

/** Reads a signature file of minisign or usign; undefined for anything else. */
export function readSignature(text: string): FileSignature | undefined {
  const [comment, line, trustedLine, globalLine, ...rest] = linesOf(text);
  if (!comment?.startsWith(COMMENT) || rest.length > 0) return undefined;
  const bytes = bytesOf(line, SIGNATURE_BYTES);
  const algorithm = bytes?.toString('latin1', 0, 2);
  if (!bytes || (algorithm !== 'Ed' && algorithm !== 'ED')) return undefined;
  const common = { keyId: keyIdOf(bytes), algorithm, signature: bytes.subarray(KEY_NUMBER.to) } as const;
  if (trustedLine === undefined) return algorithm === 'Ed' ? { ...common, trusted: undefined } : undefined;
  const global = bytesOf(globalLine, SIGNATURE_BYTES - KEY_NUMBER.to);
  if (!trustedLine.startsWith(TRUSTED) || !global) return undefined;
  return { ...common, trusted: { comment: trustedLine.slice(TRUSTED.length), signature: global } };
}

function keyObject(publicKey: string): KeyObject {
  return createPublicKey({ key: Buffer.concat([DER_HEAD, Buffer.from(publicKey, 'base64')]), format: 'der', type: 'spki' });
}

async function messageOf(algorithm: FileSignature['algorithm'], content: Readable): Promise<Buffer> {
  if (algorithm === 'Ed') {
    const parts: Buffer[] = [];
    for await (const part of content) parts.push(Buffer.from(part));
    return Buffer.concat(parts);
  }
  const hash = createHash('blake2b512');
  for await (const part of content) hash.update(part);
  return hash.digest();
}

/** Whether a key made this signature for this content. The content is read only where the key's number fits; `Ed` holds it in memory. */
export async function isSignedBy(signature: FileSignature, key: SigningKey, open: () => Promise<Readable>): Promise<boolean> {
  if (signature.keyId !== key.keyId) return false;
  const publicKey = keyObject(key.publicKey);
  const { trusted } = signature;
  if (trusted) {
    const signed = Buffer.concat([signature.signature, Buffer.from(trusted.comment, 'utf8')]);
    if (!(await verifyAsync(null, signed, publicKey, trusted.signature))) return false;
  }
  return verifyAsync(null, await messageOf(signature.algorithm, await open()), publicKey, signature.signature);
}
