import {
  UPLOAD_CHUNK_BYTES,
  UPLOAD_WINDOW_BYTES,
  type FileCall,
  type FileFault,
  type RemoteAnswer,
  type RemoteQuestion,
  type ServerMessage,
} from '../../../schemas/kit/devices/remote-wire.ts';
import type { SessionEnd } from '../../engine/remote/EndNotice.tsx';
import { beginRemote, openRemoteSocket, type RemoteSocket } from '../../engine/remote/remote-socket.ts';
import { type RemotePlace, endOfFailure } from '../../engine/remote/terms.ts';
import { createStore, type Store } from '../../kernel/store.ts';

export interface FilesState {
  phase: 'connecting' | 'asking' | 'open' | 'ended';
  question?: { question: RemoteQuestion; answer(answer: RemoteAnswer): void };
  end?: SessionEnd;
  home: string;
  ways: 'sftp' | 'exec';
  sessionId: number;
}

export interface Transfer {
  id: string;
  name: string;
  size: number;
  sent: number;
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled';
  fault?: FileFault;
}

/** Why a call to the remote files failed. */
export class RemoteFileError extends Error {
  override name = 'RemoteFileError';
  readonly code: FileFault;

  constructor(code: FileFault, detail: string) {
    super(detail);
    this.code = code;
  }
}

const START: FilesState = { phase: 'connecting', home: '/', ways: 'sftp', sessionId: 0 };
const HEADER_BYTES = 4;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: RemoteFileError): void;
}

/** The files of one remote side, outside React. */
export class FilesSession {
  readonly state: Store<FilesState> = createStore<FilesState>(START);
  readonly transfers: Store<readonly Transfer[]> = createStore<readonly Transfer[]>([]);
  /** Where each pane is, by its number: it stays there when the line breaks and somebody connects again. */
  readonly folders = new Map<number, string>();
  readonly #place: RemotePlace;
  readonly #waiting = new Map<number, Waiting>();
  readonly #progress = new Map<number, (bytes: number) => void>();
  readonly #cancelled = new Set<string>();
  #socket: RemoteSocket | undefined;
  #calls = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(place: RemotePlace) {
    this.#place = place;
    void this.#connect();
  }

  reconnect(): void {
    this.state.set(START);
    void this.#connect();
  }

  close(): void {
    this.#socket?.close();
  }

  /** Throws RemoteFileError. */
  call<T>(call: FileCall): Promise<T> {
    this.#calls += 1;
    return this.#send<T>(this.#calls, call);
  }

  /** The address from which the browser fetches a file, by range too. */
  downloadAddress(path: string): string {
    return `/api/devices/connect/sessions/${this.state.get().sessionId}/file?path=${encodeURIComponent(path)}`;
  }

  /** Sends a file after those that wait already; resolves with whether it is there. */
  upload(path: string, file: File, overwrite: boolean): Promise<boolean> {
    const transfer: Transfer = { id: crypto.randomUUID(), name: file.name, size: file.size, sent: 0, state: 'waiting' };
    this.transfers.set([...this.transfers.get(), transfer]);
    const result = this.#queue.then(() => this.#upload(transfer.id, path, file, overwrite));
    this.#queue = result;
    return result;
  }

  cancel(id: string): void {
    this.#cancelled.add(id);
    if (this.transfers.get().find((one) => one.id === id)?.state === 'waiting') this.#change(id, { state: 'cancelled' });
  }

  clearTransfers(): void {
    this.transfers.set(this.transfers.get().filter(({ state }) => state === 'waiting' || state === 'sending'));
  }

  async #upload(id: string, path: string, file: File, overwrite: boolean): Promise<boolean> {
    if (this.#cancelled.has(id)) return false;
    this.#change(id, { state: 'sending' });
    this.#calls += 1;
    const upload = this.#calls;
    try {
      const begin: FileCall = { op: 'upload', path, size: file.size, source: String(file.lastModified), overwrite };
      const { offset } = await this.#send<{ offset: number }>(upload, begin);
      await this.#sendPieces(id, upload, file, offset);
      if (this.#cancelled.has(id)) {
        await this.call({ op: 'cancel', upload });
        this.#change(id, { state: 'cancelled' });
        return false;
      }
      await this.call({ op: 'upload-end', upload });
      this.#change(id, { state: 'done', sent: file.size });
      return true;
    } catch (error) {
      this.#change(id, { state: 'failed', fault: error instanceof RemoteFileError ? error.code : 'failed' });
      return false;
    } finally {
      this.#progress.delete(upload);
    }
  }

  async #sendPieces(id: string, upload: number, file: File, offset: number): Promise<void> {
    let written = offset;
    let wake: (() => void) | undefined;
    this.#progress.set(upload, (bytes) => {
      written = bytes;
      this.#change(id, { sent: bytes });
      wake?.();
    });
    const waitForRoom = (at: number): Promise<void> =>
      new Promise((resolve) => {
        wake = () => hasRoom(at) && resolve();
      });
    const hasRoom = (at: number): boolean => at - written < UPLOAD_WINDOW_BYTES || this.state.get().phase !== 'open';
    for (let at = offset; at < file.size && !this.#cancelled.has(id); at += UPLOAD_CHUNK_BYTES) {
      if (!hasRoom(at)) await waitForRoom(at);
      if (this.state.get().phase !== 'open') throw new RemoteFileError('cancelled', '');
      const piece = new Uint8Array(await file.slice(at, at + UPLOAD_CHUNK_BYTES).arrayBuffer());
      const frame = new Uint8Array(HEADER_BYTES + piece.length);
      new DataView(frame.buffer).setUint32(0, upload);
      frame.set(piece, HEADER_BYTES);
      this.#socket?.sendBytes(frame);
    }
  }

  #send<T>(id: number, call: FileCall): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (!this.#socket || this.state.get().phase !== 'open') return reject(new RemoteFileError('cancelled', ''));
      // The server answers each call with the result of its kind.
      this.#waiting.set(id, { resolve: (result) => resolve(result as T), reject });
      return this.#socket.send({ type: 'call', id, call });
    });
  }

  #change(id: string, change: Partial<Transfer>): void {
    this.transfers.set(this.transfers.get().map((one) => (one.id === id ? { ...one, ...change } : one)));
  }

  #patch(change: Partial<FilesState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }

  async #connect(): Promise<void> {
    try {
      const ticket = await beginRemote(this.#place);
      this.#patch({ sessionId: ticket.id });
      this.#socket = openRemoteSocket(
        ticket,
        {},
        {
          onQuestion: (question, answer) =>
            this.#patch({
              phase: 'asking',
              question: {
                question,
                answer: (given) => {
                  this.#patch({ phase: 'connecting', question: undefined });
                  answer(given);
                },
              },
            }),
          onMessage: (message) => this.#take(message),
          onBytes: () => undefined,
          onEnd: (end) => this.#end(end),
        },
      );
    } catch (error) {
      this.#end(endOfFailure(error));
    }
  }

  #take(message: Exclude<ServerMessage, { type: 'ask' | 'end' }>): void {
    if (message.type === 'open')
      return this.#patch({ phase: 'open', question: undefined, home: message.home ?? '/', ways: message.ways ?? 'sftp' });
    if (message.type === 'progress') return this.#progress.get(message.id)?.(message.bytes);
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.type === 'result') waiting?.resolve(message.result);
    else waiting?.reject(new RemoteFileError(message.code, message.message));
    return undefined;
  }

  #end(end: SessionEnd): void {
    this.#socket = undefined;
    this.#patch({ phase: 'ended', end, question: undefined });
    for (const { reject } of this.#waiting.values()) reject(new RemoteFileError('cancelled', ''));
    this.#waiting.clear();
    for (const [, listener] of this.#progress) listener(0);
  }
}
