import type { Readable } from 'node:stream';

/** The first and the last byte, both counted in. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Where the bytes of files lie: contents under random keys, never changed once they are kept. */
export interface FileStore {
  /** Takes over a complete file of this machine; durable when it resolves. Answers its key. */
  keep(path: string): Promise<string>;
  /** undefined when there is no content under this key. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Nothing happens when there is none. */
  remove(key: string): Promise<void>;
  /** Keys of what was kept before this time (Unix milliseconds). */
  keysBefore(at: number): AsyncIterable<string>;
}
