/** Lets through `max` of a kind in each window, by key. Keys are forgotten when their window is over. */
export function createLimiter({ max, windowMs, now }: { max: number; windowMs: number; now(): number }) {
  const windows = new Map<string, { endsAt: number; count: number }>();
  const PRUNE_ABOVE = 10_000;

  function windowOf(key: string): { endsAt: number; count: number } {
    const at = now();
    const known = windows.get(key);
    if (known && known.endsAt > at) return known;
    if (windows.size > PRUNE_ABOVE) for (const [old, { endsAt }] of windows) if (endsAt <= at) windows.delete(old);
    const fresh = { endsAt: at + windowMs, count: 0 };
    windows.set(key, fresh);
    return fresh;
  }

  return {
    /** Counts one; false when it is one too many. */
    take(key: string): boolean {
      const window = windowOf(key);
      window.count += 1;
      return window.count <= max;
    },
    /** Begins again for every key. */
    forget(): void {
      windows.clear();
    },
    /** Whole seconds until the key's window ends when it is used up, else 0. Counts nothing. */
    waitSeconds(key: string): number {
      const window = windows.get(key);
      if (!window || window.count < max || window.endsAt <= now()) return 0;
      return Math.max(1, Math.ceil((window.endsAt - now()) / 1000));
    },
  };
}

export type Limiter = ReturnType<typeof createLimiter>;
