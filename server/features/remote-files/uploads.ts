import { createHash } from 'node:crypto';
import { UPLOAD_WINDOW_BYTES, type FileCall } from '../../../schemas/kit/devices/remote-wire.ts';
import type { Talk } from '../../domain/remote/console-exchange.ts';
import { cleanPath, FileFaultError, findFacts, type FileWriter, type RemoteFs } from './remote-fs.ts';

const MOST_UPLOADS = 4;
const ID_BYTES = 4;
const PROGRESS_BYTES = 256 * 1024;

/** Where a file lies before it is whole: another place for each file, so that none is made of pieces of two. */
function partOf(path: string, size: number, source: unknown): string {
  if (typeof source !== 'string') return `${path}.part`;
  return `${path}.${createHash('sha256').update(`${size} ${source}`).digest('hex').slice(0, 8)}.part`;
}

interface Upload {
  path: string;
  part: string;
  /** Of the file that is replaced. */
  mode: number | undefined;
  size: number;
  received: number;
  reported: number;
  writer: FileWriter;
  /** The pieces in their order. */
  queue: Promise<void>;
  failure: unknown;
}

/** The uploads of one session: pieces go into a `.part` file, which takes the place of the file in the end and is there to go on with when the line breaks. */
export class Uploads {
  readonly #fs: RemoteFs;
  readonly #talk: Talk;
  readonly #open = new Map<number, Upload>();

  constructor(fs: RemoteFs, talk: Talk) {
    this.#fs = fs;
    this.#talk = talk;
    talk.onBytes((frame) => this.#take(frame));
  }

  /** Answers how much of the file is there already. */
  async begin(id: number, call: Extract<FileCall, { op: 'upload' }>): Promise<{ offset: number }> {
    const asked = cleanPath(call.path);
    const { size } = call;
    if (!Number.isSafeInteger(size) || size < 0) throw new FileFaultError('failed');
    if (this.#open.size >= MOST_UPLOADS || this.#open.has(id)) throw new FileFaultError('failed', 'too many uploads at once');
    const before = await findFacts(this.#fs, asked);
    const path = before ? await this.#fs.real(asked) : asked;
    if (before?.kind === 'folder') throw new FileFaultError('exists');
    if (before && !call.overwrite) throw new FileFaultError('exists');
    const part = partOf(path, size, call.source);
    const begun = call.source === undefined ? undefined : await findFacts(this.#fs, part);
    const offset = begun && begun.size <= size ? begun.size : 0;
    const writer = await this.#fs.write(part, offset);
    const upload: Upload = {
      ...{ path, part, size, writer, mode: before?.mode, received: offset, reported: offset },
      ...{ queue: Promise.resolve(), failure: undefined },
    };
    this.#open.set(id, upload);
    writer.onWritten((bytes) => {
      if (bytes - upload.reported < PROGRESS_BYTES && bytes < size) return;
      upload.reported = bytes;
      this.#talk.send({ type: 'progress', id, bytes });
    });
    return { offset };
  }

  async end(id: number): Promise<void> {
    const upload = this.#require(id);
    this.#open.delete(id);
    await upload.queue;
    if (upload.failure !== undefined) throw upload.failure;
    await upload.writer.end();
    if (upload.received !== upload.size) throw new FileFaultError('failed', 'the upload is not whole');
    // Some file systems know no permissions.
    if (upload.mode !== undefined) await this.#fs.setMode(upload.part, upload.mode).catch(() => undefined);
    await this.#fs.rename(upload.part, upload.path);
  }

  /** Gives up, and removes what has come so far. */
  async cancel(id: number): Promise<void> {
    const upload = this.#open.get(id);
    if (!upload) return;
    this.#open.delete(id);
    upload.writer.abort();
    await upload.queue.catch(() => undefined);
    await this.#fs.removeFile(upload.part).catch(() => undefined);
  }

  /** The session is over; what has come stays, to go on from. */
  drop(): void {
    for (const { writer } of this.#open.values()) writer.abort();
    this.#open.clear();
  }

  #require(id: number): Upload {
    const upload = this.#open.get(id);
    if (!upload) throw new FileFaultError('cancelled');
    return upload;
  }

  #take(frame: Buffer): void {
    if (frame.length <= ID_BYTES) return;
    const upload = this.#open.get(frame.readUInt32BE(0));
    if (!upload || upload.failure !== undefined) return;
    const piece = frame.subarray(ID_BYTES);
    upload.received += piece.length;
    // A console that keeps to the rules waits for the answer.
    const isTooMuch = upload.received > upload.size || upload.received - upload.reported > 2 * UPLOAD_WINDOW_BYTES;
    if (isTooMuch) upload.failure = new FileFaultError('failed', 'more came than was said');
    else
      upload.queue = upload.queue
        .then(() => upload.writer.write(piece))
        .catch((error: unknown) => {
          upload.failure ??= error;
        });
  }
}
