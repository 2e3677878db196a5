import { parentPort, workerData } from 'node:worker_threads';
import { inspectForm, type Inspection, type FormContext } from './inspect.ts';

/** What the thread says: it is ready, it is done. */
export type InspectorMessage = { said: 'ready' } | { said: 'done'; inspection: Inspection };

const port = parentPort;
const around = workerData as FormContext;
const say = (message: InspectorMessage): void => port?.postMessage(message);

/** A text to judge; one that ships under this id is not in its own way. */
export interface Task {
  id: string;
  text: string;
  isShipped: boolean;
}

port?.on('message', ({ id, text, isShipped }: Task) => {
  const others = isShipped ? { ...around, shipped: new Set([...around.shipped].filter((other) => other !== id)) } : around;
  say({ said: 'done', inspection: inspectForm(id, text, others) });
});
say({ said: 'ready' });
