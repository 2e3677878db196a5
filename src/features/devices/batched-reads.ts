import { useEffect, useSyncExternalStore } from 'react';
import { isCancelled } from '../../kernel/http/index.ts';

interface Together<T> {
  /** Keys of one call at most. */
  most: number;
  freshMs: number;
  /** Answers by key; a key without one has nothing. */
  read(keys: readonly string[]): Promise<ReadonlyMap<string, T>>;
}

/** A hook over values that cells of many rows need: all rows of a page ask in one turn, so that one call answers for all of them. Undefined until it is there. */
export function readTogether<T>({ most, freshMs, read }: Together<T>): (key: string) => T | undefined {
  const known = new Map<string, { value: T | undefined; askedAt: number }>();
  const listeners = new Set<() => void>();
  let wanted = new Set<string>();

  async function ask(keys: readonly string[]): Promise<void> {
    try {
      const values = await read(keys);
      for (const key of keys) known.set(key, { value: values.get(key), askedAt: Date.now() });
    } catch (error) {
      // Drawn when the page is read again.
      if (!isCancelled(error)) return;
      for (const key of keys) known.delete(key);
    }
    for (const listener of listeners) listener();
  }

  function want(key: string): void {
    const entry = known.get(key);
    if (entry && Date.now() - entry.askedAt < freshMs) return;
    known.set(key, { value: entry?.value, askedAt: Date.now() });
    if (wanted.size === 0)
      queueMicrotask(() => {
        const keys = [...wanted];
        wanted = new Set();
        for (let start = 0; start < keys.length; start += most) void ask(keys.slice(start, start + most));
      });
    wanted.add(key);
  }

  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  return function useValue(key) {
    useEffect(() => want(key), [key]);
    const get = () => known.get(key)?.value;
    return useSyncExternalStore(subscribe, get, get);
  };
}
