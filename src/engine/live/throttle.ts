/** The least time between two paints of live rows: at most four a second (docs/checks.md T8). */
export const PAINT_INTERVAL_MS = 250;
/** After a paint of so many changes the next one waits twice as long: nobody reads a whole page of numbers four times a second. */
const MANY_CHANGES = 20;

/** How long to wait after a paint of live rows. */
export function paintPause(changes: readonly unknown[]): number {
  return changes.length > MANY_CHANGES ? 2 * PAINT_INTERVAL_MS : PAINT_INTERVAL_MS;
}

export interface Collector<T> {
  add(item: T): void;
  /** Forgets what is waiting; nothing is delivered afterwards. */
  stop(): void;
}

/**
 * Gathers items and delivers them together: the first at once, later ones after a pause in milliseconds, which may depend on what was delivered.
 * While the page is hidden the browser stretches timers by itself; everything arrives in one delivery on return.
 */
export function collect<T>(deliver: (items: T[]) => void, pause: number | ((items: readonly T[]) => number)): Collector<T> {
  let waiting: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    timer = setTimeout(flush, typeof pause === 'number' ? pause : pause(items));
    deliver(items);
  };
  return {
    add(item) {
      waiting.push(item);
      // A timer of zero joins the events of one network message into the first delivery.
      timer ??= setTimeout(flush, 0);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
      waiting = [];
    },
  };
}
