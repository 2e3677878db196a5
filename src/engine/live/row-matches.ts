import { findFilterRule, type ListFilter } from '../resources/registry.ts';
import type { Row } from '../resources/resource.ts';

/**
 * Whether a record fits the filters as far as the browser can know: by the resource's registered rule, else by comparing the field of
 * that name. `undefined` where neither is possible (a series, a range of time), because only the server knows the answer there.
 */
export function rowMatches(resource: string, row: Row, filters: readonly ListFilter[]): boolean | undefined {
  const answers = new Set(filters.map((filter) => filterMatches(resource, row, filter)));
  if (answers.has(false)) return false;
  return answers.has(undefined) ? undefined : true;
}

function filterMatches(resource: string, row: Row, filter: ListFilter): boolean | undefined {
  const rule = findFilterRule(resource, filter.key);
  if (rule) return filter.values.some((wanted) => rule(row, wanted)) !== filter.negated;
  const value = row[filter.key];
  if (value === null || value === undefined) return undefined;
  const isComparable = filter.values.every((wanted) => typeof wanted === typeof value);
  return isComparable ? filter.values.some((wanted) => wanted === value) !== filter.negated : undefined;
}
