import { isUniqueViolation } from '../db/dialect.ts';
import { NameTaken } from './errors.ts';

/**
 * Runs a write, and throws what `refusal` makes when something that may be there once only is there already. The database decides that, so
 * of two writes at once one succeeds.
 */
export async function refuseDuplicate<T>(write: () => Promise<T>, refusal: (cause: unknown) => Error): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw isUniqueViolation(error) ? refusal(error) : error;
  }
}

/** Runs a write that gives something a name which only one may have there. Throws NAME_TAKEN at `source`. */
export function withUniqueName<T>({ name, source }: { name: string; source: string }, write: () => Promise<T>): Promise<T> {
  return refuseDuplicate(write, (cause) => new NameTaken({ name }, { source, cause }));
}
