import { useSyncExternalStore } from 'react';
import { createStore } from '../../kernel/store.ts';

/** Records whose file is on its way to this browser, as `<resource>/<id>`; a record can be in more than one download. */
const downloads = createStore<readonly string[]>([]);

const keyOf = (resource: string, id: number) => `${resource}/${id}`;

/** Marks the rows of these records while `work` runs, however it ends. */
export async function whileDownloading<T>(resource: string, ids: readonly number[], work: () => Promise<T>): Promise<T> {
  const keys = ids.map((id) => keyOf(resource, id));
  downloads.set([...downloads.get(), ...keys]);
  try {
    return await work();
  } finally {
    const left = [...downloads.get()];
    for (const key of keys) left.splice(left.indexOf(key), 1);
    downloads.set(left);
  }
}

/** Whether a record's file is being downloaded. */
export function useIsDownloading(resource: string, id: number): boolean {
  return useSyncExternalStore(downloads.subscribe, () => downloads.get().includes(keyOf(resource, id)));
}
