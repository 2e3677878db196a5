import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longer than this no piece of work keeps the event loop to itself. */
const MOST_MS = 5;

export interface Turns {
  /** Whether this piece of work has lasted long enough. */
  isOver(): boolean;
  /** Lets everything else have its turn; a new piece begins. */
  next(): Promise<void>;
}

/** For work over many rows, so that others have their turn in between: `if (turns.isOver()) await turns.next()`. */
export function takeTurns(): Turns {
  let begun = performance.now();
  return {
    isOver: () => performance.now() - begun >= MOST_MS,
    async next() {
      await nextTurn();
      begun = performance.now();
    },
  };
}
