import { watch } from 'node:fs';

const QUIET_MS = 80;
/** A folder that is new is watched a moment after its first files were written: those are found by a second scan. */
const SECOND_LOOK_MS = 700;

/**
 * Calls back soon after something changed below a folder, once for many changes, and a second time a little later. Returns the way to stop. A watch
 * that the system refuses or ends is reported to `onError`; the slow scan of the folder goes on without it.
 */
export function watchFolder(dir: string, onChange: () => void, onError: (error: unknown) => void): () => void {
  let timers: NodeJS.Timeout[] = [];
  const forget = (): void => timers.forEach(clearTimeout);
  try {
    const watcher = watch(dir, { recursive: true, persistent: false }, () => {
      forget();
      timers = [setTimeout(onChange, QUIET_MS).unref(), setTimeout(onChange, SECOND_LOOK_MS).unref()];
    });
    watcher.on('error', onError);
    return () => {
      forget();
      watcher.close();
    };
  } catch (error) {
    onError(error);
    return () => undefined;
  }
}
