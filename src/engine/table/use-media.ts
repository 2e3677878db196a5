import { useSyncExternalStore } from 'react';

/** Screens on which rows are cards. */
export const NARROW = '(max-width: 640px)';

/** Whether a media query holds now; never where there is no screen. */
export function useMedia(query: string): boolean {
  const list = typeof matchMedia === 'function' ? matchMedia(query) : undefined;
  const holds = () => list?.matches ?? false;
  return useSyncExternalStore(
    (listener) => {
      list?.addEventListener('change', listener);
      return () => list?.removeEventListener('change', listener);
    },
    holds,
    holds,
  );
}
