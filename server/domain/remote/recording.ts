import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { Clock } from '../../kernel/clock.ts';
import type { Recording } from './types.ts';

/** Bytes of one recording; what comes after is not kept, and the recording says so. */
const MOST_BYTES = 50 * 1024 * 1024;

/** Where the recording of a session lies. */
export function recordingPath(dataDir: string, sessionId: number): string {
  return join(dataDir, 'recordings', `${sessionId}.cast`);
}

export interface OpenRecording extends Recording {
  bytes(): number;
  close(): Promise<void>;
}

/** Writes what passes through a terminal as asciicast v2, so that any player of that format replays it. The first size is `size`, 80x24 unless known. */
export function openRecording(
  { clock, dataDir }: { clock: Clock; dataDir: string },
  { id, title, size }: { id: number; title: string; size: { cols: number; rows: number } },
): OpenRecording {
  const startedAt = clock.now();
  let file: WriteStream | undefined;
  let bytes = 0;
  let isFull = false;
  const decoders = { o: new StringDecoder('utf8'), i: new StringDecoder('utf8'), r: new StringDecoder('utf8') };

  function put(line: string): void {
    if (!file) {
      mkdirSync(join(dataDir, 'recordings'), { recursive: true, mode: 0o700 });
      file = createWriteStream(recordingPath(dataDir, id), { mode: 0o600 });
      // A disk that is full ends the recording, not the session.
      file.on('error', () => {
        isFull = true;
      });
      const header = { version: 2, width: size.cols, height: size.rows, timestamp: Math.floor(startedAt / 1000), title };
      put(JSON.stringify(header));
    }
    const text = `${line}\n`;
    bytes += Buffer.byteLength(text);
    file.write(text);
  }

  return {
    write(direction, data) {
      if (isFull) return;
      const text = typeof data === 'string' ? data : decoders[direction].write(data);
      if (text === '') return;
      const seconds = (clock.now() - startedAt) / 1000;
      if (bytes + text.length > MOST_BYTES) {
        isFull = true;
        put(JSON.stringify([seconds, 'o', '\r\n[The recording ends here: it is full.]\r\n']));
        return;
      }
      put(JSON.stringify([seconds, direction, text]));
    },
    bytes: () => bytes,
    close: () =>
      new Promise((resolve) => {
        if (!file) return resolve();
        file.once('error', () => resolve());
        file.end(() => resolve());
      }),
  };
}
