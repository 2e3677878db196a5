const KEY = 'canopy.chunk_reload';
const PAUSE_MS = 60_000;

/**
 * Code that does not load is mostly code of an older build, gone since the last update, or the network changed meanwhile (a VPN, another Wi-Fi):
 * the page is loaded again, once a minute for a build, so that a file that is really missing does not make it reload for ever. Without a network
 * it goes to the offline page.
 */
export function watchChunkFailures(page: Pick<Location, 'reload' | 'replace'> = location, build: number = __BUILT_AT__): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (!navigator.onLine) {
      event.preventDefault();
      page.replace('/offline.html');
    } else if (isLongSince(build)) {
      event.preventDefault();
      page.reload();
    }
  });
}

function isLongSince(build: number): boolean {
  try {
    const [lastBuild, lastTime] = (sessionStorage.getItem(KEY) ?? '').split(' ');
    if (lastBuild === String(build) && Math.abs(Date.now() - Number(lastTime)) < PAUSE_MS) return false;
    sessionStorage.setItem(KEY, `${build} ${Date.now()}`);
    return true;
  } catch {
    // Without a memory a loop looks like a first failure.
    return false;
  }
}
