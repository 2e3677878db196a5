import { setTimeout } from 'node:timers/promises';

const DEADLINE_MS = 60_000;
/** Between two looks: soon at first, then seldom enough that looking does not take the processor from what is waited for. */
const FIRST_WAIT_MS = 5;
const MAX_WAIT_MS = 40;
const GROWTH = 1.3;

/** Polls until `read` gives something, and throws with `what` when it does not in time. */
export async function until<T>(what: string, read: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  const end = performance.now() + DEADLINE_MS;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * GROWTH, MAX_WAIT_MS)) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > end) throw new Error(`waited in vain: ${what}`);
    await setTimeout(waitMs);
  }
}
