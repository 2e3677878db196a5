import type { Row } from '../resources/resource.ts';
import type { ListFilter } from '../table/list-state.ts';

/**
 * Whether a record fits the filters as far as the browser can tell: `undefined` where a filter is not a plain field of the record
 * (a series, a tag, a range), because only the server knows the answer there.
 */
export function rowMatches(row: Row, filters: readonly ListFilter[]): boolean | undefined {
  const answers = filters.map((filter) => filterMatches(row, filter));
  if (answers.includes(false)) return false;
  return answers.includes(undefined) ? undefined : true;
}

function filterMatches(row: Row, filter: ListFilter): boolean | undefined {
  const value = row[filter.key];
  if (value === null || value === undefined) return undefined;
  // A filter word such as "online" for a field that holds 1 cannot be compared here.
  const comparable = filter.values.filter((wanted) => typeof wanted === typeof value);
  if (comparable.length !== filter.values.length) return undefined;
  return comparable.some((wanted) => wanted === value) !== filter.negated;
}
