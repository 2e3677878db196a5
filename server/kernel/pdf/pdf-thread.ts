import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SECOND } from '../clock.ts';
import type { PdfDocument } from './types.ts';

const LONGEST_MS = 60 * SECOND;
const IDLE_MS = 20 * SECOND;
const HEAP_MB = 256;

/** Draws reports in a thread of its own, one after the other: the server goes on answering meanwhile. */
export interface PdfThread extends AsyncDisposable {
  /** Throws when a report takes more than a minute or too much memory; the next one is drawn all the same. */
  draw(report: PdfDocument): Promise<Buffer>;
}

/** Starts no thread before the first report, and ends it after a while without one. */
export function createPdfThread(): PdfThread {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  }

  async function ask(report: PdfDocument): Promise<Buffer> {
    clearTimeout(idle);
    const asked = (worker ??= new Worker(new URL('./pdf-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    }));
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    asked.ref();
    asked.once('exit', leave);
    try {
      asked.postMessage(report);
      const [file]: unknown[] = await once(asked, 'message', { signal: AbortSignal.any([gone.signal, AbortSignal.timeout(LONGEST_MS)]) });
      if (!(file instanceof Uint8Array)) throw new Error('The thread for reports answered no file');
      asked.unref();
      idle = setTimeout(() => void end(), IDLE_MS);
      idle.unref();
      return Buffer.from(file.buffer, file.byteOffset, file.byteLength);
    } catch (error) {
      await end();
      throw error;
    } finally {
      asked.off('exit', leave);
    }
  }

  return {
    draw(report) {
      const drawn = queue.then(() => ask(report));
      queue = drawn.catch(() => undefined);
      return drawn;
    },
    [Symbol.asyncDispose]: end,
  };
}
