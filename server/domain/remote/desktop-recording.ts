import type { WriteStream } from 'node:fs';
import type { Clock } from '../../kernel/clock.ts';
import { createRecordingFile, endRecordingFile, recordingPath, type OpenRecording } from './recording.ts';
import type { RemoteKind } from './types.ts';

/** Bytes of one recording; what comes after is not kept, and the recording says so. */
export const MOST_DESKTOP_BYTES = 200 * 1024 * 1024;
/** Bytes that wait for the disk: a desktop that sends faster than the disk writes ends its recording, not the server's memory. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;
const ALIGNMENT = 4;

/** One block of FBS: its length, its bytes filled up to four, milliseconds since the start. */
function blockOf(bytes: Buffer, milliseconds: number): Buffer {
  const block = Buffer.alloc(4 + Math.ceil(bytes.length / ALIGNMENT) * ALIGNMENT + 4);
  block.writeUInt32BE(bytes.length, 0);
  bytes.copy(block, 4);
  block.writeUInt32BE(milliseconds, block.length - 4);
  return block;
}

/**
 * Writes what a desktop sends as a framebuffer stream (FBS 001.000, as rfbproxy and rfbplayer have it), from a sign-in without a password on, which is put before
 * it. What the browser sends, its keys and its clipboard, is no part of it. An empty block at the end means that the recording was full.
 */
export function openDesktopRecording(
  { clock, dataDir, mostBytes = MOST_DESKTOP_BYTES }: { clock: Clock; dataDir: string; mostBytes?: number },
  session: { id: number; protocol: RemoteKind },
): OpenRecording {
  const startedAt = clock.now();
  let file: WriteStream | undefined;
  let bytes = 0;
  let isFull = false;

  function put(data: Buffer): void {
    bytes += data.length;
    file?.write(data);
  }

  function begin(): void {
    file = createRecordingFile(recordingPath(dataDir, session));
    // A disk that is full ends the recording, not the session.
    file.on('error', () => {
      isFull = true;
    });
    put(Buffer.from('FBS 001.000\n', 'latin1'));
    put(blockOf(Buffer.concat([Buffer.from('RFB 003.003\n', 'latin1'), Buffer.from([0, 0, 0, 1])]), 0));
  }

  return {
    write(direction, data) {
      if (isFull || direction !== 'o' || data.length === 0) return;
      if (!file) begin();
      const sent = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
      isFull = bytes + sent.length > mostBytes || (file?.writableLength ?? 0) > MOST_WAITING_BYTES;
      put(blockOf(isFull ? Buffer.alloc(0) : sent, clock.now() - startedAt));
    },
    bytes: () => bytes,
    close: () => endRecordingFile(file),
  };
}
