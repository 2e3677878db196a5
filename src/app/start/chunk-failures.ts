const KEY = 'canopy.chunk_reload';

/**
 * Code that does not load is mostly code of an older build, gone since the last update: the page is loaded again, once per build, so that a
 * file that is really missing does not make it reload for ever. Without a network it goes to the offline page.
 */
export function watchChunkFailures(page: Pick<Location, 'reload' | 'replace'> = location, build: number = __BUILT_AT__): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (!navigator.onLine) {
      event.preventDefault();
      page.replace('/offline.html');
    } else if (isFirstTime(build)) {
      event.preventDefault();
      page.reload();
    }
  });
}

function isFirstTime(build: number): boolean {
  try {
    if (sessionStorage.getItem(KEY) === String(build)) return false;
    sessionStorage.setItem(KEY, String(build));
    return true;
  } catch {
    // Without a memory a loop looks like a first failure.
    return false;
  }
}
