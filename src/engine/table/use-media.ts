import { useSyncExternalStore } from 'react';

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  const list = typeof window.matchMedia === 'function' ? window.matchMedia(query) : undefined;
  return useSyncExternalStore(
    (listener) => {
      list?.addEventListener('change', listener);
      return () => list?.removeEventListener('change', listener);
    },
    () => list?.matches ?? false,
  );
}
