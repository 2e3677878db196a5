import { failureMessage, isCancelled } from '../../../kernel/http/index.ts';
import { createStore, useStore } from '../../../kernel/store.ts';
import { toasts } from '../../../kernel/toasts/index.ts';
import { dataProvider } from '../../data/data-provider.ts';
import type { View } from '../../../../schemas/_generated/contract.ts';

/** The views of one list: `undefined` until they were asked for, `failed` when they could not be had. */
export type LoadedViews = readonly View[] | 'failed' | undefined;

const lists = createStore<ReadonlyMap<string, LoadedViews>>(new Map());
const waiting = new Map<string, Promise<void>>();

const MOST_VIEWS = 100; // One page of the API.

/** Asks for the views of a list again; calls while one is under way share its answer. */
export function loadViews(resource: string): Promise<void> {
  const running = waiting.get(resource);
  if (running) return running;
  const call = ask(resource).then((views) => {
    // Forgotten meanwhile.
    if (waiting.get(resource) !== call) return;
    waiting.delete(resource);
    put(resource, views);
  });
  waiting.set(resource, call);
  return call;
}

async function ask(resource: string): Promise<LoadedViews> {
  try {
    const { data } = await dataProvider.getList<View>({
      resource: 'views',
      pagination: { currentPage: 1, pageSize: MOST_VIEWS },
      filters: [{ field: 'resource', operator: 'eq', value: resource }],
      meta: { survivesRouteChange: true },
    });
    return data;
  } catch (error) {
    if (!isCancelled(error)) toasts.error(failureMessage(error));
    return 'failed';
  }
}

function put(resource: string, views: LoadedViews): void {
  lists.set(new Map([...lists.get(), [resource, views]]));
}

/** The views of a list that are known here. */
export function useViews(resource: string): LoadedViews {
  return useStore(lists).get(resource);
}

export function forgetViews(): void {
  waiting.clear();
  lists.set(new Map());
}
