import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SECOND } from '../clock.ts';
import { WorkTooLarge } from '../errors.ts';
import { createThread } from '../thread.ts';
import type { PdfDocument } from './types.ts';

const LONGEST_MS = 60 * SECOND;
const HEAP_MB = 256;

/** Draws reports in a thread of its own, one after the other: the server goes on answering meanwhile. */
export interface PdfThread extends AsyncDisposable {
  /**
   * Throws WORK_TOO_LARGE when a report takes more than a minute or too much memory, and the reason of the signal when that is aborted; the next one is drawn all
   * the same.
   */
  draw(report: PdfDocument, signal?: AbortSignal): Promise<Buffer>;
}

/** Starts no thread before the first report, and ends it after a while without one. */
export function createPdfThread(): PdfThread {
  const thread = createThread(
    () => new Worker(new URL('./pdf-worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } }),
  );

  async function ask(worker: Worker, report: PdfDocument, signal: AbortSignal | undefined): Promise<Buffer> {
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    worker.once('exit', leave);
    try {
      worker.postMessage(report);
      const ends = [gone.signal, AbortSignal.timeout(LONGEST_MS), ...(signal ? [signal] : [])];
      const [file]: unknown[] = await once(worker, 'message', { signal: AbortSignal.any(ends) }).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw new WorkTooLarge({}, { cause: error });
      });
      if (!(file instanceof Uint8Array)) throw new Error('The thread for reports answered no file');
      return Buffer.from(file.buffer, file.byteOffset, file.byteLength);
    } finally {
      worker.off('exit', leave);
    }
  }

  return {
    async draw(report, signal) {
      signal?.throwIfAborted();
      return thread.run((worker) => ask(worker, report, signal));
    },
    [Symbol.asyncDispose]: thread.end,
  };
}
