import { Worker } from 'node:worker_threads';
import { SECOND } from '../../kernel/clock.ts';
import { createThread } from '../../kernel/thread.ts';
import type { InspectorMessage, Task } from './inspect-worker.ts';
import type { Finding, Inspection, FormContext } from './inspect.ts';

/** Time of a processor for one form, not of the clock: on a busy machine no file is slow for what others do. */
const CPU_MS = 3 * SECOND;
const LOOK_MS = SECOND / 4;
/** By the clock, the start of the thread included. */
const LONGEST_MS = 60 * SECOND;
const HEAP_MB = 256;

/** Judges form files in a thread of its own, one after the other: one that takes too long ends with the thread. */
export interface Inspector extends AsyncDisposable {
  /** `isShipped`: it is the text of the form that ships under this id, which is then not taken. */
  inspect(id: string, text: string, isShipped?: boolean): Promise<Inspection>;
}

const TOO_SLOW: Finding = { line: 1, column: 1, code: 'too-slow', message: 'It takes too long to check this file.' };
const BROKE: Finding = { line: 1, column: 1, code: 'not-checked', message: 'This file could not be checked.' };

/** Starts no thread before the first file, and ends it after a while without one. A file may use `cpuMs` of a processor. */
export function createInspector(around: () => FormContext, onError: (error: unknown) => void, cpuMs = CPU_MS): Inspector {
  const thread = createThread(
    () =>
      new Worker(new URL('./inspect-worker.ts', import.meta.url), {
        workerData: around(),
        resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      }),
  );

  function ask(asked: Worker, isNew: boolean, task: Task): Promise<Inspection> {
    return new Promise((resolve) => {
      let look: NodeJS.Timeout | undefined;
      const finish = (inspection: Inspection, isThreadFine: boolean): void => {
        clearTimeout(late);
        clearInterval(look);
        asked.removeAllListeners();
        // An error that comes late is nobody's.
        asked.on('error', onError);
        if (isThreadFine) resolve(inspection);
        else void thread.end().then(() => resolve(inspection));
      };
      const giveUp = (): void => finish({ isUsable: false, findings: [TOO_SLOW] }, false);
      const late = setTimeout(giveUp, LONGEST_MS);
      let before: NodeJS.CpuUsage | undefined;
      const check = async (): Promise<void> => {
        const spent = await asked.cpuUsage(before);
        before ??= spent;
        if (spent !== before && (spent.user + spent.system) / 1000 > cpuMs) giveUp();
      };
      // The thread may have ended meanwhile.
      const begin = (): void => void (look = setInterval(() => void check().catch(() => undefined), LOOK_MS));
      asked.removeAllListeners();
      asked.on('message', (message: InspectorMessage) => {
        if (message.said === 'ready') begin();
        else if (message.said === 'done') finish(message.inspection, true);
      });
      asked.on('error', (error) => {
        onError(error);
        finish({ isUsable: false, findings: [BROKE] }, false);
      });
      if (!isNew) begin();
      asked.postMessage(task);
    });
  }

  return {
    inspect: (id, text, isShipped = false) => thread.run((worker, isNew) => ask(worker, isNew, { id, text, isShipped })),
    [Symbol.asyncDispose]: thread.end,
  };
}
