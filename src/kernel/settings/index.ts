import { useCallback } from 'react';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import { api, type Answer } from '../http/index.ts';
import { createStore, useStore } from '../store.ts';

/** What the settings need of the HTTP client; tests give their own server's. */
export interface SettingsDoor {
  get<T>(path: string, options?: { query?: Record<string, number>; survivesRouteChange?: boolean }): Promise<Answer<T>>;
  post<T>(path: string, body: unknown): Promise<Answer<T>>;
  put<T>(path: string, body: unknown): Promise<Answer<T>>;
  delete<T>(path: string): Promise<Answer<T>>;
}

/**
 * The user's settings (docs/behaviour.md section 7): JSON values kept on the server, read from a local copy that is loaded at start.
 * The copy changes after the server has taken a value, and before it has dropped one. Calls for one key go out one after the other.
 */
export function createSettings(door: SettingsDoor) {
  const values = createStore<ReadonlyMap<string, JsonValue>>(new Map());
  const turns = new Map<string, Promise<void>>();

  function change(key: string, value: JsonValue | undefined): void {
    const next = new Map(values.get());
    if (value === undefined) next.delete(key);
    else next.set(key, value);
    values.set(next);
  }

  function inTurn(key: string, run: () => Promise<void>): Promise<void> {
    const turn = (turns.get(key) ?? Promise.resolve()).then(run, run);
    const quiet = turn
      .catch(() => undefined)
      .finally(() => {
        if (turns.get(key) === quiet) turns.delete(key);
      });
    turns.set(key, quiet);
    return turn;
  }

  return {
    store: values,
    /** Loads the local copy; a failure is ignored, because the console works with defaults. */
    async load(): Promise<void> {
      try {
        const { data } = await door.get<{ key: string; value: JsonValue }[]>('/storage', {
          query: { limit: 100 },
          survivesRouteChange: true,
        });
        values.set(new Map(data.map((setting) => [setting.key, setting.value])));
      } catch {
        // docs/behaviour.md section 7: failure silently ignored.
      }
    },
    /** The value, or `undefined` when it is not set. The caller checks the shape: it may come from an older version. */
    get(key: string): JsonValue | undefined {
      return values.get().get(key);
    },
    /** Keeps a value; throws `ApiError` when the server refuses. */
    set(key: string, value: JsonValue): Promise<void> {
      return inTurn(key, async () => {
        if (values.get().has(key)) await door.put(`/storage/${encodeURIComponent(key)}`, { value });
        else await door.post('/storage', { key, value });
        change(key, value);
      });
    },
    /** Forgets a value, here first. */
    remove(key: string): Promise<void> {
      const known = values.get().has(key);
      change(key, undefined);
      return inTurn(key, async () => {
        if (known) await door.delete(`/storage/${encodeURIComponent(key)}`);
      });
    },
  };
}

/** The signed-in user's settings. */
export const settings = createSettings(api);

/** A setting and how to keep it: `const [view, setView] = useSetting('table.devices')`. */
export function useSetting(key: string): [JsonValue | undefined, (value: JsonValue) => Promise<void>] {
  const value = useStore(settings.store).get(key);
  const set = useCallback((next: JsonValue) => settings.set(key, next), [key]);
  return [value, set];
}
