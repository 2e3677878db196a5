/** Runs work when the browser has nothing more pressing to do, such as painting what was just typed. */
export function runWhenIdle(work: () => void): void {
  // Safari has no scheduler.
  if ('scheduler' in globalThis) void scheduler.postTask(work, { priority: 'background' });
  else setTimeout(work, 0);
}
