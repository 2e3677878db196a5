import { watch } from 'node:fs';

const QUIET_MS = 80;

/**
 * Calls back soon after something changed below a folder, once for many changes. Returns the way to stop. A watch that the system refuses or ends
 * is told to `onError`; the slow look at the folder goes on without it.
 */
export function watchFolder(dir: string, onChange: () => void, onError: (error: unknown) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  try {
    const watcher = watch(dir, { recursive: true, persistent: false }, () => {
      clearTimeout(timer);
      timer = setTimeout(onChange, QUIET_MS);
      timer.unref();
    });
    watcher.on('error', onError);
    return () => {
      clearTimeout(timer);
      watcher.close();
    };
  } catch (error) {
    onError(error);
    return () => undefined;
  }
}
