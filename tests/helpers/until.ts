const DEADLINE_MS = 30_000;
const LOOK_EVERY_MS = 10;

/** Polls until `read` gives something, and throws with `what` when it does not in time. */
export async function until<T>(what: string, read: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  const end = performance.now() + DEADLINE_MS;
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_EVERY_MS);
    });
  }
}
