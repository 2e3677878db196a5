const KEY = 'canopy.session_failures';
// docs/behaviour.md section 8: three failed user requests or revoke attempts in a session show the maintenance screen.
const LIMIT = 3;

/** Counts a failed user request or revoke attempt of this browser tab; answers whether the limit is reached. */
export function countSessionFailure(): boolean {
  const count = readCount() + 1;
  writeCount(count);
  return count >= LIMIT;
}

/** Whether this tab has failed too often to try again by itself. */
export function hasFailedTooOften(): boolean {
  return readCount() >= LIMIT;
}

/** Starts counting again, after a success or when the user asks to try again. */
export function forgetSessionFailures(): void {
  writeCount(0);
}

function readCount(): number {
  try {
    return Number(sessionStorage.getItem(KEY) ?? 0);
  } catch {
    return memory;
  }
}

function writeCount(count: number): void {
  memory = count;
  try {
    sessionStorage.setItem(KEY, String(count));
  } catch {
    // Storage refused: the count lasts as long as the page.
  }
}
let memory = 0;
