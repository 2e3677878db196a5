import { parentPort, workerData } from 'node:worker_threads';
import { inspectForm, type Finding, type Inspection, type Surroundings } from './inspect.ts';

/** What the thread says: it is ready, it is about to try this pattern, it is done. */
export type InspectorMessage = { said: 'ready' } | { said: 'trying'; finding: Finding } | { said: 'done'; inspection: Inspection };

const port = parentPort;
const around = workerData as Surroundings;
const say = (message: InspectorMessage): void => port?.postMessage(message);

port?.on('message', ({ id, text }: { id: string; text: string }) => {
  say({ said: 'done', inspection: inspectForm(id, text, around, (finding) => say({ said: 'trying', finding })) });
});
say({ said: 'ready' });
