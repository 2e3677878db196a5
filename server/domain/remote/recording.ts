import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { Context } from '../../context.ts';
import type { Clock } from '../../kernel/clock.ts';
import { isDesktop } from './settings.ts';
import type { Recording, RemoteKind } from './types.ts';

/** Bytes of one recording; what comes after is not kept, and the recording says so. */
const MOST_BYTES = 50 * 1024 * 1024;

/** Where the recording of a session lies: `.cast` of terminals, `.fbs` of desktops. */
export function recordingPath(dataDir: string, { id, protocol }: { id: number; protocol: RemoteKind }): string {
  return join(dataDir, 'recordings', `${id}.${isDesktop(protocol) ? 'fbs' : 'cast'}`);
}

/** Removes the recordings of these sessions, where there are some. */
export async function removeRecordings({ config, reads }: Pick<Context, 'config' | 'reads'>, sessionIds: readonly number[]): Promise<void> {
  const sessions = await reads
    .selectFrom('remote_sessions')
    .select(['id', 'protocol'])
    .where('id', 'in', sessionIds)
    .where('recording_bytes', '>', 0)
    .execute();
  for (const session of sessions) await rm(recordingPath(config.dataDir, session), { force: true });
}

/** Opens the file of a recording, which only the server's user reads. */
export function createRecordingFile(path: string): WriteStream {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return createWriteStream(path, { mode: 0o600 });
}

/** Answers once all is on disk, or cannot be. */
export const endRecordingFile = (file: WriteStream | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (!file) return resolve();
    file.once('error', () => resolve());
    file.end(() => resolve());
  });

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
      file = createRecordingFile(recordingPath(dataDir, { id, protocol: 'ssh' }));
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
    close: () => endRecordingFile(file),
  };
}
