import { AppError } from '../errors.ts';
import type { HelperAnswer } from './helper-process.ts';

/** Makes this process a helper: it does the one piece of work that the server sends, and answers. */
export function serveHelper<I, O>(work: (input: I) => Promise<O>): void {
  const answer = (message: HelperAnswer): void => void process.send?.(message);
  process.once('message', (input) => {
    // Only the server sends, and it knows the type.
    work(input as I).then(
      (value) => answer({ value }),
      (error: unknown) => {
        if (error instanceof AppError) answer({ refused: error.items });
        else answer({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      },
    );
  });
  process.once('disconnect', () => process.exit());
}
