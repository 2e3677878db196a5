import { failureMessage } from '../../kernel/http/index.ts';
import { settings, useSetting } from '../../kernel/settings/index.ts';
import { createStore, useStore } from '../../kernel/store.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';

/** Values that are on screen already and on their way to the server. */
const ahead = createStore<ReadonlyMap<string, JsonValue>>(new Map());

function put(key: string, value: JsonValue | undefined): void {
  const next = new Map(ahead.get());
  if (value === undefined) next.delete(key);
  else next.set(key, value);
  ahead.set(next);
}

/** Keeps a setting that shows at once. While one value is on its way, only the newest of those that follow is sent; a refusal is shown and brings the kept value back. */
export async function storeSetting(key: string, value: JsonValue): Promise<void> {
  const isUnderWay = ahead.get().has(key);
  put(key, value);
  if (isUnderWay) return;
  let sent: JsonValue | undefined;
  try {
    while (ahead.get().get(key) !== sent) {
      sent = ahead.get().get(key);
      if (sent !== undefined) await settings.set(key, sent);
    }
  } catch (error) {
    toasts.error(failureMessage(error));
  } finally {
    put(key, undefined);
  }
}

/** What is kept, as it is now: with changes that the server has not answered yet. */
export function readKept(key: string): JsonValue | undefined {
  return ahead.get().get(key) ?? settings.get(key);
}

/** The same for components. */
export function useKept(key: string): JsonValue | undefined {
  const [kept] = useSetting(key);
  return useStore(ahead).get(key) ?? kept;
}
