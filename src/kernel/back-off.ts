export interface BackOffInit {
  /** The first pause in milliseconds. */
  minMs?: number;
  /** The longest one. */
  maxMs?: number;
  factor?: number;
}

/** Growing pauses between tries to come back after a failure (docs/behaviour.md section 9): 100 ms, doubled each time, at most 10 s, by default. */
export function createBackOff({ minMs = 100, maxMs = 10_000, factor = 2 }: BackOffInit = {}) {
  let pause = minMs;
  return {
    /** Milliseconds to wait before the next try. */
    next(): number {
      const now = pause;
      pause = Math.min(maxMs, pause * factor);
      return now;
    },
    /** It worked: the next failure begins with the shortest pause again. */
    reset(): void {
      pause = minMs;
    },
  };
}

/**
 * Asks after a pause, repeatedly, until the returned function is called. `ask` answers whether it worked: after a failure the pauses grow.
 * A failure that it throws is one, too.
 */
export function keepAsking(ask: () => Promise<boolean>, init?: BackOffInit): () => void {
  const backOff = createBackOff(init);
  let timer: ReturnType<typeof setTimeout>;
  let isStopped = false;

  async function askOnce(): Promise<void> {
    if (await ask().catch(() => false)) backOff.reset();
    if (!isStopped) wait();
  }
  function wait(): void {
    timer = setTimeout(() => void askOnce(), backOff.next());
  }

  wait();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
