/** The least time between two paints of live rows: at most four a second (docs/checks.md T8). */
export const PAINT_INTERVAL_MS = 250;

export interface Collector<T> {
  add(item: T): void;
  /** Forgets what is waiting; nothing is delivered afterwards. */
  stop(): void;
}

/**
 * Gathers items and delivers them together: the first at once, later ones at most every `intervalMs` milliseconds.
 * While the page is hidden the browser stretches timers by itself; everything arrives in one delivery on return.
 */
export function collect<T>(deliver: (items: T[]) => void, intervalMs: number): Collector<T> {
  let waiting: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    timer = setTimeout(flush, intervalMs);
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
