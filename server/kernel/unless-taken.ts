import { isUniqueViolation } from '../db/dialect.ts';

/**
 * Runs a write, and throws what `refusal` makes when something that may be there once only is there already. The database decides that, so
 * of two writes at once one succeeds.
 */
export async function unlessTaken<T>(write: () => Promise<T>, refusal: (cause: unknown) => Error): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw isUniqueViolation(error) ? refusal(error) : error;
  }
}
