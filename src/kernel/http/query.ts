export type QueryValue = string | number | boolean | null | undefined | readonly (string | number | boolean | null | undefined)[];
export type Query = Readonly<Record<string, QueryValue>>;

/** A query string: arrays comma separated, null and empty values skipped, keys in the given order (docs/behaviour.md section 7). */
export function serializeQuery(query: Query): string {
  const parts: string[] = [];
  for (const [key, value] of Object.entries(query)) {
    const text = Array.isArray(value) ? value.filter(isPresent).join(',') : isPresent(value) ? String(value) : '';
    if (text !== '') parts.push(`${encodeURIComponent(key)}=${encodeURIComponent(text)}`);
  }
  return parts.join('&');
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}
