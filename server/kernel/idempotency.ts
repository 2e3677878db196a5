import { InvalidFields } from './errors.ts';

const MAX_KEY = 200;

/** The `Idempotency-Key` of a call, which makes it the same call however often it is sent; undefined without one. Throws INVALID_FIELD. */
export function idempotencyKeyOf(request: { headers: Record<string, string | string[] | undefined> }): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length > 0 && key.length <= MAX_KEY) return key;
  throw new InvalidFields([
    { source: 'Idempotency-Key', message: `Use one text of at most ${MAX_KEY} characters.`, params: { max: MAX_KEY } },
  ]);
}
