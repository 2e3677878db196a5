import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';

const KILL_AFTER_MS = 3000;

export interface Child {
  /** Why it ended; undefined while it runs. */
  ended(): string | undefined;
  stop(): Promise<void>;
}

/** A program that runs until it is stopped; what it prints last says why it ended. */
export function startChild(
  program: string,
  args: readonly string[],
  options: { env?: Record<string, string>; onLine?: (line: string) => void; onEnd: () => void },
): Child {
  const said: string[] = [];
  let end: string | undefined;
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...options.env } });
  const note = (chunk: Buffer): void => {
    for (const line of chunk.toString('utf8').split('\n').filter(Boolean)) {
      said.push(line.slice(0, 300));
      options.onLine?.(line);
    }
    said.splice(0, said.length - 5);
  };
  child.stdout?.on('data', note);
  child.stderr?.on('data', note);
  const gone = new Promise<void>((resolve) => {
    const over = (why: string): void => {
      if (end === undefined) {
        end = [why, ...said].join(' · ').slice(0, 500);
        options.onEnd();
      }
      resolve();
    };
    child.once('error', (error) => over(error.message));
    child.once('close', (code, signal) => over(`${program} ended (${signal ?? code})`));
  });
  return {
    ended: () => end,
    async stop() {
      if (end !== undefined) return;
      child.kill('SIGTERM');
      await Promise.race([gone, setTimeout(KILL_AFTER_MS, undefined, { ref: false })]);
      if (end === undefined) child.kill('SIGKILL');
      await gone;
    },
  };
}

/** Resolves once `isThere` answers true; throws Error after `seconds`, or at once when the child has ended. */
export async function waitUntil(isThere: () => boolean | Promise<boolean>, child: Child, seconds = 10): Promise<void> {
  for (let turn = 0; turn < seconds * 50; turn += 1) {
    const end = child.ended();
    if (end !== undefined) throw new Error(end);
    if (await isThere()) return;
    await setTimeout(20);
  }
  throw new Error('it did not start in time');
}
