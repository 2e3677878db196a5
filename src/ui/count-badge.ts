// docs/behaviour.md section 9: a count above 10 reads 10+.
const MOST_COUNTED = 10;

/** A count as a badge says it. */
export function countBadge(count: number): string {
  return count > MOST_COUNTED ? `${MOST_COUNTED}+` : String(count);
}
