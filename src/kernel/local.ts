const PREFIX = 'canopy.';

/** A remembered value of this browser; `undefined` when there is none or storage is refused (private mode, policy). */
export function readLocal(key: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Remembers a value in this browser; `undefined` forgets it. A full or refused storage is no error: the value just does not last. */
export function writeLocal(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, value);
  } catch {
    // Nothing to do: the caller's state is right for this page's life.
  }
}
