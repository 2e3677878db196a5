import { isWithin } from './paths.ts';

/**
 * What somebody wants to hear of at a place of the form's data:
 * `value`: its value, at once. `node`: what is wrong with it, and whether it is drawn. `whole`: it was replaced, or what is around it.
 * `deep`: anything in it changed. All but the first come once the browser has painted what was typed.
 */
export type Interest = 'value' | 'node' | 'whole' | 'deep';

export interface Listeners {
  add(interest: Interest, key: string, listener: () => void): () => void;
  /** Who hears of a value that was set at this place. */
  ofChange(key: string): Set<() => void>;
  /** Who hears of the values at and around it at once. */
  ofValue(key: string): Set<() => void>;
  ofNode(key: string): Iterable<() => void>;
}

/** The listeners of one form, by interest and place. */
export function createListeners(): Listeners {
  const all: Record<Interest, Map<string, Set<() => void>>> = { value: new Map(), node: new Map(), whole: new Map(), deep: new Map() };

  function collect(into: Set<() => void>, interest: Interest, key: string): void {
    for (const listener of all[interest].get(key) ?? []) into.add(listener);
  }
  function collectBelow(into: Set<() => void>, interest: Interest, key: string): void {
    for (const other of all[interest].keys()) if (other !== key && isWithin(other, key)) collect(into, interest, other);
  }
  function collectAbove(into: Set<() => void>, interest: Interest, key: string): void {
    if (key === '') return;
    for (let end = key.lastIndexOf('.'); end > 0; end = key.lastIndexOf('.', end - 1)) collect(into, interest, key.slice(0, end));
    collect(into, interest, '');
  }

  return {
    add(interest, key, listener) {
      const map = all[interest];
      const set = map.get(key) ?? new Set();
      map.set(key, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && map.get(key) === set) map.delete(key);
      };
    },
    ofChange(key) {
      const found = new Set<() => void>();
      for (const interest of ['whole', 'deep'] as const) {
        collect(found, interest, key);
        collectBelow(found, interest, key);
      }
      collectAbove(found, 'deep', key);
      return found;
    },
    ofValue(key) {
      const found = new Set<() => void>();
      collect(found, 'value', key);
      collectBelow(found, 'value', key);
      collectAbove(found, 'value', key);
      return found;
    },
    ofNode: (key) => all.node.get(key) ?? [],
  };
}
