import type { Clock } from '../../server/kernel/clock.ts';

interface Timed {
  at: number;
  everyMs: number | undefined;
  work(): void | Promise<void>;
}

/** A clock that moves only when a test moves it. */
export interface TestClock extends Clock {
  /** Moves the time on and runs, in their order, all works that fall due; resolves when they are done. */
  advance(ms: number): Promise<void>;
  /** Moves the time at once, as after a suspend or when the clock is set (back, too), and runs each work that is overdue one time. For days and more. */
  jump(ms: number): Promise<void>;
  /** How many works still wait. */
  pending(): number;
}

export const START_OF_TIME = Date.UTC(2026, 10, 2, 9, 0, 0);

/** Makes a clock that begins on 2026-11-02 09:00:00 UTC. */
export function testClock(start = START_OF_TIME): TestClock {
  let now = start;
  const timed = new Set<Timed>();
  const add = (entry: Timed): (() => void) => {
    timed.add(entry);
    return () => timed.delete(entry);
  };
  const nextDue = (until: number): Timed | undefined =>
    [...timed].filter((entry) => entry.at <= until).sort((left, right) => left.at - right.at)[0];
  return {
    now: () => now,
    every: (everyMs, work) => add({ at: now + everyMs, everyMs, work }),
    after: (delayMs, work) => add({ at: now + delayMs, everyMs: undefined, work }),
    async jump(ms) {
      now += ms;
      // Timers run by the machine's own pace: a clock that is set back makes none of them wait longer.
      if (ms < 0) for (const entry of timed) entry.at += ms;
      for (const due of [...timed].filter((entry) => entry.at <= now).sort((left, right) => left.at - right.at)) {
        if (due.everyMs === undefined) timed.delete(due);
        else due.at = now + due.everyMs;
        await due.work();
      }
    },
    async advance(ms) {
      const until = now + ms;
      for (let due = nextDue(until); due; due = nextDue(until)) {
        now = Math.max(now, due.at);
        if (due.everyMs === undefined) timed.delete(due);
        else due.at += due.everyMs;
        await due.work();
      }
      now = until;
    },
    pending: () => timed.size,
  };
}
