import { parentPort, workerData } from 'node:worker_threads';
import type { DrawPage, Drawing, PageToDraw } from '../../../../schemas/kit/drawing-types.ts';

/** What the thread says: first whether it can draw, then to each page its drawing. */
export type DrawAnswer = { drawing: Drawing | undefined } | { error: string };

const port = parentPort;
if (!port) throw new Error('draw-worker runs as a worker thread');

// What modules of the console ask for when they are loaded. Without a `window`, libraries know that they are not in a browser.
Object.assign(globalThis, {
  addEventListener: () => undefined,
  document: { cookie: '', addEventListener: () => undefined, querySelector: () => null },
  location: new URL('http://console/'),
  BroadcastChannel: undefined,
});
Object.defineProperty(navigator, 'onLine', { value: true });

/** Errors are sent as words: those of libraries cannot be cloned. */
async function tell(work: () => Promise<Drawing | undefined>): Promise<void> {
  let answer: DrawAnswer;
  try {
    answer = { drawing: await work() };
  } catch (error) {
    answer = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  port?.postMessage(answer);
}

let drawPage: DrawPage | undefined;
await tell(async () => {
  ({ drawPage } = (await import(String(workerData.module))) as { drawPage: DrawPage });
  return undefined;
});
// One page at a time: whoever asks waits for the answer before the next one.
port.on('message', (page: PageToDraw) => void tell(async () => drawPage?.(page)));
