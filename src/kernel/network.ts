import { createStore, useStore } from './store.ts';

/** `offline`: this machine has no network; `unreachable`: it has one, and the server does not answer. */
export type NetworkState = 'online' | 'offline' | 'unreachable';

const state = createStore<NetworkState>(navigator.onLine ? 'online' : 'offline');
addEventListener('offline', () => state.set('offline'));
addEventListener('online', () => state.set('online'));

export const network = {
  get: state.get,
  subscribe: state.subscribe,
  /** Called by the HTTP client on any answer. */
  reportAnswer(): void {
    if (navigator.onLine) state.set('online');
  },
  /** Called by the HTTP client when a call found nobody. */
  reportSilence(): void {
    state.set(navigator.onLine ? 'unreachable' : 'offline');
  },
};

/** Whether the server can be reached, as far as is known. */
export function useNetwork(): NetworkState {
  return useStore(state);
}
