import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

const BLOCK = 512;
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
const MAX_MEMBERS = 5000;
/** Of what only describes the next member: a long name. */
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_NAME = 300;

/** Takes the content of a member piece by piece. */
export interface MemberSink {
  take(piece: Buffer): void;
  end?(): void;
}

const cString = (bytes: Buffer): string => bytes.toString('utf8').replace(/\0.*$/s, '');

/** The path in a pax header, whose records are `<length> <key>=<value>\n`. */
function paxPath(bytes: Buffer): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(bytes.toString('utf8'))?.[1];
}

/** A name as it is shown: a text, never a path that anything is opened by. */
function shownName(name: string): string {
  // Names come from devices.
  return name
    .replace(/\p{Cc}/gu, '\ufffd')
    .replace(/^(?:\.?\/)+/, '')
    .slice(0, MAX_NAME);
}

class NoArchive extends Error {
  override name = 'NoArchive';
}

/** Hands on the bytes of a stream in the portions that are asked for. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);
  #count = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** Answers whether there were as many. Throws NoArchive beyond what an archive may unpack to. */
  async pass(count: number, take: (piece: Buffer) => void = () => undefined): Promise<boolean> {
    for (let left = count; left > 0;) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next();
        if (next.done === true) return false;
        this.#rest = next.value;
        this.#count += next.value.length;
        if (this.#count > MAX_UNPACKED_BYTES) throw new NoArchive('too large');
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      take(piece);
    }
    return true;
  }

  async read(count: number): Promise<Buffer | undefined> {
    const pieces: Buffer[] = [];
    return (await this.pass(count, (piece) => void pieces.push(piece))) ? Buffer.concat(pieces) : undefined;
  }
}

interface Header {
  kind: string;
  size: number;
  name: string;
}

function readHeader(header: Buffer): Header {
  if (header.toString('latin1', 257, 262) !== 'ustar') throw new NoArchive('no tar');
  const size = Number.parseInt(cString(header.subarray(124, 136)).trim() || '0', 8);
  if (!Number.isSafeInteger(size) || size < 0 || size > MAX_UNPACKED_BYTES) throw new NoArchive('no size');
  const prefix = cString(header.subarray(345, 500));
  const ownName = cString(header.subarray(0, 100));
  // GNU tar keeps times where ustar keeps the beginning of a path.
  const isPosix = header.toString('latin1', 262, 263) === '\0';
  return { kind: header.toString('latin1', 156, 157), size, name: isPosix && prefix !== '' ? `${prefix}/${ownName}` : ownName };
}

async function visitMembers(reader: ByteReader, visit: (name: string, size: number) => MemberSink | undefined): Promise<void> {
  let longName: string | undefined;
  let count = 0;
  for (;;) {
    const block = await reader.read(BLOCK);
    if (!block) return;
    if (block[0] === 0) break;
    const { kind, size, name: headerName } = readHeader(block);
    const padding = (BLOCK - (size % BLOCK)) % BLOCK;
    if (kind === 'L' || kind === 'x') {
      if (size > MAX_HEADER_BYTES) throw new NoArchive('a long header');
      const content = await reader.read(size);
      if (!content) throw new NoArchive('cut');
      longName = kind === 'L' ? cString(content) : (paxPath(content) ?? longName);
    } else {
      const name = shownName(longName ?? headerName);
      longName = undefined;
      const isFile = (kind === '0' || kind === '\0') && name !== '';
      if (isFile && (count += 1) > MAX_MEMBERS) throw new NoArchive('too many files');
      const sink = isFile ? visit(name, size) : undefined;
      if (!(await reader.pass(size, (piece) => sink?.take(piece)))) throw new NoArchive('cut');
      sink?.end?.();
    }
    await reader.pass(padding);
  }
  // A bomb may lie behind the end.
  await reader.pass(Number.POSITIVE_INFINITY);
}

/**
 * Visits the plain files of a tar.gz one after another, within limits: of what it unpacks to, and of members. Nothing of it is kept. Answers false for what is
 * no such archive, is broken, or is beyond them.
 */
export async function visitArchive(path: string, visit: (name: string, size: number) => MemberSink | undefined): Promise<boolean> {
  const unpacked = createGunzip();
  const failed = new Promise<never>((_resolve, reject) => pipeline(createReadStream(path), unpacked, (error) => error && reject(error)));
  try {
    await Promise.race([visitMembers(new ByteReader(unpacked), visit), failed]);
    return true;
  } catch {
    return false;
  } finally {
    unpacked.destroy();
  }
}
