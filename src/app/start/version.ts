import { createStore, useStore } from '../../kernel/store.ts';
import { MINUTE, SECOND } from '../../kernel/time/index.ts';

const CHECK_EVERY = 5 * MINUTE;
// docs/behaviour.md section 9, Timing.
const PROMPT_AFTER = 1 * SECOND;
const isNewer = createStore(false);

/** Checks every five minutes, and when the tab becomes visible again, whether the server holds a newer console than this one. */
export function watchVersion(hostname: string = location.hostname, build: number = __BUILT_AT__): void {
  if (hostname === 'localhost') return;
  let checkedAt = Date.now();
  const check = async () => {
    if (isNewer.get() || document.visibilityState !== 'visible') return;
    checkedAt = Date.now();
    if ((await readServedBuild()) > build) setTimeout(() => isNewer.set(true), PROMPT_AFTER);
  };
  setInterval(check, CHECK_EVERY);
  document.addEventListener('visibilitychange', () => {
    if (Date.now() - checkedAt > MINUTE) void check();
  });
}

async function readServedBuild(): Promise<number> {
  try {
    const response = await fetch('/version.json', { cache: 'no-store' });
    const body: unknown = response.ok ? await response.json() : undefined;
    return typeof body === 'object' && body !== null && 'timestamp' in body ? Number(body.timestamp) || 0 : 0;
  } catch {
    return 0;
  }
}

/** Whether a newer console is there to be loaded. */
export function useIsNewerVersion(): boolean {
  return useStore(isNewer);
}
