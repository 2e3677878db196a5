import { compareTexts, includesText } from '../../schemas/kit/text/text-order.ts';
import type { ListQuery } from './list-query.ts';

const compareValues = (left: unknown, right: unknown): number =>
  typeof left === 'number' && typeof right === 'number' ? left - right : compareTexts(String(left), String(right));

/** One page of records that are no rows of a database, in the order asked for, and how many there are; `textOf`: what free text is looked for in. */
export function pageRecords<R extends { id: number }>(
  records: readonly R[],
  { q, ids, filters, sort, offset, limit }: ListQuery,
  textOf: (record: R) => string,
): { rows: R[]; total: number } {
  const found = records.filter(
    (record) =>
      (ids === undefined || ids.includes(record.id)) &&
      filters.every(({ key, values, isNegated }) => values.includes(String(Reflect.get(record, key))) !== isNegated) &&
      includesText(textOf(record), q ?? ''),
  );
  const compare = (left: R, right: R): number => {
    for (const { key, isDescending } of sort) {
      const order = compareValues(Reflect.get(left, key), Reflect.get(right, key));
      if (order !== 0) return isDescending ? -order : order;
    }
    return left.id - right.id;
  };
  return { rows: found.sort(compare).slice(offset, offset + limit), total: found.length };
}
