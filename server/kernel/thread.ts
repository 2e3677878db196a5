import type { Worker } from 'node:worker_threads';
import { SECOND } from './clock.ts';
import { createSerialQueue } from './serial-queue.ts';

const IDLE_MS = 20 * SECOND;

/** One worker for what must not hold the server up, one piece of work after the other. */
export interface Thread extends AsyncDisposable {
  /** Runs a piece of work once all before it are done; when it throws, the worker is ended and the next piece has a new one. */
  run<T>(work: (worker: Worker, isNew: boolean) => Promise<T>): Promise<T>;
  /** Ends the worker, whatever it does; the next piece of work has a new one. */
  end(): Promise<void>;
}

/** Starts no worker before the first piece of work, and ends it after `idleMs` without one. */
export function createThread(start: () => Worker, idleMs = IDLE_MS): Thread {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  const inTurn = createSerialQueue();

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  }

  async function use<T>(work: (worker: Worker, isNew: boolean) => Promise<T>): Promise<T> {
    clearTimeout(idle);
    const isNew = worker === undefined;
    const asked = (worker ??= start());
    asked.ref();
    try {
      const result = await work(asked, isNew);
      if (worker === asked) {
        asked.unref();
        idle = setTimeout(() => void end(), idleMs);
        idle.unref();
      }
      return result;
    } catch (error) {
      await end();
      throw error;
    }
  }

  return {
    run: (work) => inTurn(() => use(work)),
    end,
    [Symbol.asyncDispose]: end,
  };
}
