import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Drawing, PageToDraw } from '../../../../schemas/kit/drawing-types.ts';
import { MINUTE, SECOND } from '../../clock.ts';
import { createThread } from '../../thread.ts';
import type { DrawAnswer } from './draw-worker.ts';

/** A new thread needs a second to draw quickly, so it stays as long as somebody opens the console now and then. */
const IDLE_MS = 15 * MINUTE;
const LONGEST_MS = 30 * SECOND;
const HEAP_MB = 192;
/** Who comes after so many others has the page sooner without waiting. */
const MOST_WAITING = 4;

/** Draws first pages in a thread of its own. */
export interface Drawings extends AsyncDisposable {
  /** The page as drawn; `undefined` when it is not drawn ahead, cannot be, the thread only starts, or many others wait. */
  draw(page: PageToDraw): Promise<Drawing | undefined>;
  /** Lets the thread be ready for whoever is about to sign in. */
  prepare(): void;
}

/** `module`: the file that draws, as the build makes it; without it nothing is drawn. */
export function createDrawings(module: string, onError: (error: unknown) => void): Drawings {
  let isUsable = existsSync(module);
  let isReady = false;
  let waiting = 0;
  const thread = createThread(() => {
    const worker = new Worker(new URL('./draw-worker.ts', import.meta.url), {
      workerData: { module },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    worker.on('error', onError).on('exit', () => (isReady = false));
    return worker;
  }, IDLE_MS);

  /** The next word of the thread: that it is ready, or the answer to a page. */
  function nextAnswer(worker: Worker): Promise<DrawAnswer> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => end(() => reject(new Error('Drawing a page took too long'))), LONGEST_MS);
      const end = (settle: () => void): void => {
        clearTimeout(late);
        worker.off('message', handleMessage).off('exit', handleExit);
        settle();
      };
      const handleMessage = (answer: DrawAnswer): void => end(() => resolve(answer));
      const handleExit = (): void => end(() => reject(new Error('The thread that draws pages ended')));
      worker.on('message', handleMessage).on('exit', handleExit);
    });
  }

  async function run(page: PageToDraw | undefined): Promise<Drawing | undefined> {
    if (!isUsable || waiting >= MOST_WAITING) return undefined;
    waiting += 1;
    try {
      const answer = await thread.run(async (worker, isNew) => {
        const first = isNew ? await nextAnswer(worker) : undefined;
        if (first) isReady = isUsable = !('error' in first);
        if (page === undefined || !isUsable) return first;
        worker.postMessage(page);
        return nextAnswer(worker);
      });
      if (answer && 'error' in answer) onError(new Error(answer.error));
      return answer && 'drawing' in answer ? answer.drawing : undefined;
    } catch (error) {
      onError(error);
      return undefined;
    } finally {
      waiting -= 1;
    }
  }

  return {
    draw: async (page) => (isReady ? run(page) : undefined),
    prepare: () => void run(undefined),
    [Symbol.asyncDispose]: () => thread.end(),
  };
}
