import { fork, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import type { ErrorCode } from '../../../schemas/_generated/contract.ts';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import { AppError, WorkTooLarge } from '../errors.ts';

/** What a helper process answers: its result, an error for the caller, or one that nobody expected. */
export type HelperAnswer = { value: unknown } | { refused: ErrorItem[] } | { failed: string };

export interface Helper {
  /** A file `*-worker.ts` that calls `serveHelper`. */
  entry: URL;
  /** Of its JavaScript heap. */
  heapMb: number;
  /** It opens the database, and finds in its environment what the driver of PostgreSQL reads there. */
  isReadingDatabase?: boolean;
}

/** Below the server and its pool of threads wherever they want a processor at the same time. */
const NICENESS = 5;
/** Threads of libuv in the helper: its files and archives take none of those that sign-ins wait for. */
const THREADS = '2';
/** What Node ends with when its heap is full. */
const HEAP_FULL = new Set<unknown>(['SIGABRT', 'SIGTRAP', 'SIGILL', 134]);

function environment({ isReadingDatabase = false }: Helper): NodeJS.ProcessEnv {
  const names = /^(?:PATH|HOME|TZ|LANG|LC_\w+|TMPDIR|SystemRoot)$/;
  const ofDatabase = /^(?:PG\w+|NODE_EXTRA_CA_CERTS)$/;
  const kept = Object.entries(process.env).filter(([name]) => names.test(name) || (isReadingDatabase && ofDatabase.test(name)));
  return { ...Object.fromEntries(kept), UV_THREADPOOL_SIZE: THREADS };
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // Where that is not allowed it works at the usual one.
  }
}

/**
 * Does a piece of work in a process of its own, and ends the process with the work: neither its memory nor its threads are the server's. An aborted signal kills
 * it and throws the signal's reason. Throws WORK_TOO_LARGE when the process has no memory left, and the AppErrors of the work.
 */
export async function runInHelper<I, O>(helper: Helper, input: I, signal: AbortSignal): Promise<O> {
  signal.throwIfAborted();
  const child = fork(helper.entry, {
    execArgv: ['--no-memory-protection-keys', `--max-old-space-size=${helper.heapMb}`],
    env: environment(helper),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  lowerPriority(child);
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  try {
    const answer = await new Promise<HelperAnswer | { ended: unknown }>((resolve, reject) => {
      let said: HelperAnswer | undefined;
      child.on('error', reject);
      child.once('message', (message: HelperAnswer) => {
        said = message;
        // Nothing of it is left when the next work begins.
        kill();
      });
      child.once('exit', (code, killedBy) => resolve(said ?? { ended: killedBy ?? code }));
      child.send(input as object);
    });
    signal.throwIfAborted();
    // Only our own worker posts here.
    if ('value' in answer) return answer.value as O;
    if ('refused' in answer) throw new AppError(answer.refused as [ErrorItem & { code: ErrorCode }, ...ErrorItem[]]);
    if ('failed' in answer) throw new Error(answer.failed);
    if (HEAP_FULL.has(answer.ended)) throw new WorkTooLarge({});
    throw new Error(`A helper process ended with ${String(answer.ended)}`);
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
  }
}
