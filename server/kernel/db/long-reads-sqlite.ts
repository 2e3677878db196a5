import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { CompiledQuery } from 'kysely';
import { SECOND } from '../clock.ts';
import type { CsvColumn } from './csv.ts';
import type { ExportOptions } from './export-writers.ts';
import type { LongReadAnswer, LongReadRequest } from './long-reads-worker.ts';
import type { LongReads, ValueCounts } from './long-reads.ts';

const IDLE_MS = 30 * SECOND;
/** The thread makes the next pieces of an export while one is sent. */
const READ_AHEAD_BYTES = 384 * 1024;
// A heap of the usual size would let the short-lived rows of an export pile up before they are swept.
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

type Body = LongReadRequest extends infer R ? (R extends unknown ? Omit<R, 'id'> : never) : never;

/** The thread and its open calls; started with the first call, ended after half a minute without one. */
class ReadThread {
  readonly #file: string;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #nextId = 1;
  readonly #waiting = new Map<number, Waiting>();
  /** Exports that hold a cursor in the thread: it lives as long as one is open. */
  #open = 0;

  constructor(file: string) {
    this.#file = file;
  }

  newId(): number {
    this.#nextId += 1;
    return this.#nextId;
  }

  hold(): void {
    this.#open += 1;
  }

  release(): void {
    this.#open -= 1;
    this.#rest();
  }

  ask(body: Body, id = this.newId()): Promise<unknown> {
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ ...body, id });
    });
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./long-reads-worker.ts', import.meta.url), {
      workerData: { file: this.#file },
      resourceLimits: HEAP_LIMITS,
    });
    worker.on('message', (answer: LongReadAnswer) => this.#settle(answer));
    worker.on('error', (error) => this.#fail(worker, error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', () => this.#fail(worker, new Error('The reading thread ended')));
    return worker;
  }

  #settle(answer: LongReadAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('error' in answer) {
      waiting?.reject(Object.assign(new Error(answer.error.message), { code: 'ERR_SQLITE_ERROR', errcode: answer.error.errcode }));
    } else waiting?.resolve(answer.value);
    this.#rest();
  }

  #fail(worker: Worker, error: Error): void {
    if (this.#worker === worker) this.#worker = undefined;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }

  #rest(): void {
    if (this.#waiting.size > 0 || this.#open > 0) return;
    this.#worker?.unref();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.stop(), IDLE_MS);
    this.#idle.unref();
  }
}

function tableStream(
  thread: ReadThread,
  query: CompiledQuery,
  columns: readonly CsvColumn[],
  options: ExportOptions | undefined,
): Readable {
  const id = thread.newId();
  thread.hold();
  let opening: Promise<unknown> | undefined;
  return new Readable({
    highWaterMark: READ_AHEAD_BYTES,
    read() {
      opening ??= thread.ask({ kind: 'open-table', sql: query.sql, parameters: query.parameters, columns, options }, id);
      opening
        .then(() => thread.ask({ kind: 'next-table' }, id))
        .then((chunk) => this.push(chunk))
        .catch((error: Error) => this.destroy(error));
    },
    destroy(error, done) {
      const closing = opening ? thread.ask({ kind: 'close-table' }, id) : Promise.resolve();
      closing
        .catch(() => undefined)
        .finally(() => {
          thread.release();
          done(error);
        });
    },
  });
}

/** Long reads of a SQLite file by a thread of their own with a read-only connection. */
export function sqliteLongReads(file: string): LongReads {
  const thread = new ReadThread(file);
  const ask = (kind: 'rows' | 'numbers' | 'count-values', query: CompiledQuery): Promise<unknown> =>
    thread.ask({ kind, sql: query.sql, parameters: query.parameters });
  return {
    rows: async <R>(query: CompiledQuery<R>) => (await ask('rows', query)) as R[],
    numbers: async (query) => Array.from((await ask('numbers', query)) as Float64Array),
    countValues: async (query) => (await ask('count-values', query)) as ValueCounts,
    table: (query, columns, options) => tableStream(thread, query, columns, options),
    [Symbol.asyncDispose]: () => thread.stop(),
  };
}
