import { createCipheriv } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { RemoteFault } from '../../domain/remote/ssh-client.ts';

const VERSION = Buffer.from('RFB 003.008\n', 'latin1');
const NONE = 1;
const VNC_AUTH = 2;
const CHALLENGE_BYTES = 16;
const REASON_LIMIT = 1000;

/** Reads exactly so many bytes from a stream, whatever pieces they come in. What is left over stays in the stream. */
export class ExactReader {
  readonly #stream: Duplex;
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(stream: Duplex) {
    this.#stream = stream;
    const wake = (): void => this.#wake?.();
    const end = (): void => {
      this.#isOver = true;
      wake();
    };
    stream.on('readable', wake);
    stream.on('end', end);
    stream.on('close', end);
    stream.on('error', end);
  }

  async read(length: number): Promise<Buffer> {
    if (length === 0) return Buffer.alloc(0);
    for (;;) {
      const bytes = this.#stream.read(length) as Buffer | null;
      if (bytes?.length === length) return bytes;
      if (this.#isOver || bytes) throw new RemoteFault('protocol', 'The connection ended in the middle of the handshake.');
      await new Promise<void>((resolve) => void (this.#wake = resolve));
    }
  }

  /** Hands the stream on to its next reader. */
  release(): void {
    this.#wake = undefined;
    this.#stream.removeAllListeners('readable');
  }
}

const reversed = (byte: number): number => Number.parseInt(byte.toString(2).padStart(8, '0').split('').toReversed().join(''), 2);

/**
 * The answer to a challenge of VNC authentication: DES in ECB mode with the password as key, the bits of each byte reversed. Single DES is not in OpenSSL's default
 * provider any more: three times the same key makes triple DES the same.
 */
export function answerChallenge(challenge: Buffer, password: string): Buffer {
  const key = Buffer.alloc(8);
  Buffer.from(password, 'latin1').copy(key, 0, 0, 8);
  const bits = key.map(reversed);
  const cipher = createCipheriv('des-ede3', Buffer.concat([bits, bits, bits]), null);
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(challenge), cipher.final()]);
}

async function readReason(reader: ExactReader): Promise<string> {
  const length = (await reader.read(4)).readUInt32BE(0);
  return (await reader.read(Math.min(length, REASON_LIMIT))).toString('utf8');
}

async function chooseType(reader: ExactReader, stream: Duplex, minor: number): Promise<number> {
  if (minor < 7) {
    const type = (await reader.read(4)).readUInt32BE(0);
    if (type === 0) throw new RemoteFault('refused', await readReason(reader));
    return type;
  }
  const [count = 0] = await reader.read(1);
  if (count === 0) throw new RemoteFault('refused', await readReason(reader));
  const types = [...(await reader.read(count))];
  const type = [NONE, VNC_AUTH].find((one) => types.includes(one));
  if (type === undefined) throw new RemoteFault('no-desktop', `The security types ${types.join(', ')} are not known here.`);
  stream.write(Buffer.from([type]));
  return type;
}

/**
 * Signs in at a VNC server (RFB 3.3, 3.7, 3.8; without a password or with VNC authentication) and stops before ClientInit. `askPassword` is called only when one
 * is needed. Throws RemoteFault.
 */
export async function signInVnc(stream: Duplex, askPassword: () => Promise<string>): Promise<void> {
  const reader = new ExactReader(stream);
  const [, minorText] = /^RFB 003\.(\d{3})\n$/.exec((await reader.read(VERSION.length)).toString('latin1')) ?? [];
  if (minorText === undefined) throw new RemoteFault('protocol', 'This is no VNC server.');
  const minor = Number(minorText) >= 8 ? 8 : Number(minorText) === 7 ? 7 : 3;
  stream.write(Buffer.from(`RFB 003.00${minor}\n`, 'latin1'));
  const type = await chooseType(reader, stream, minor);
  if (type === VNC_AUTH) {
    const challenge = await reader.read(CHALLENGE_BYTES);
    stream.write(answerChallenge(challenge, await askPassword()));
  } else if (type !== NONE) throw new RemoteFault('no-desktop', `The security type ${type} is not known here.`);
  // Before 3.8 there is no result without authentication.
  if (type === VNC_AUTH || minor >= 8) {
    const result = (await reader.read(4)).readUInt32BE(0);
    if (result !== 0) throw new RemoteFault('login-failed', minor >= 8 ? await readReason(reader) : '');
  }
  reader.release();
}

/** The handshake with the browser, which needs no password: what it sends, and what is answered. */
export class BrowserHandshake {
  #taken = Buffer.alloc(0);
  #step: 'version' | 'type' | 'done' = 'version';
  readonly #send: (bytes: Buffer) => void;

  constructor(send: (bytes: Buffer) => void) {
    this.#send = send;
    send(VERSION);
  }

  get isDone(): boolean {
    return this.#step === 'done';
  }

  /** Takes bytes of the browser; returns those that belong to the desktop already. Throws RemoteFault. */
  take(bytes: Buffer): Buffer {
    this.#taken = Buffer.concat([this.#taken, bytes]);
    if (this.#step === 'version' && this.#taken.length >= VERSION.length) {
      if (!this.#taken.subarray(0, VERSION.length).equals(VERSION)) throw new RemoteFault('protocol');
      this.#taken = this.#taken.subarray(VERSION.length);
      this.#send(Buffer.from([1, NONE]));
      this.#step = 'type';
    }
    if (this.#step === 'type' && this.#taken.length > 0) {
      if (this.#taken[0] !== NONE) throw new RemoteFault('protocol');
      this.#taken = this.#taken.subarray(1);
      this.#send(Buffer.alloc(4));
      this.#step = 'done';
    }
    if (this.#step !== 'done') return Buffer.alloc(0);
    const rest = this.#taken;
    this.#taken = Buffer.alloc(0);
    return rest;
  }
}
