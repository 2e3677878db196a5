import type { ListQuery, ListRules } from '../../kernel/list-query.ts';

/** What a list call may ask of the time zones. */
export const zoneRules: ListRules = {
  sorts: new Set(['name']),
  filters: new Map(),
  fields: new Map([['name', undefined]]),
  defaultSort: { key: 'name', isDescending: false },
  isSearchable: true,
};

/** One page of the time zones (IANA names). */
export function listZones({ q = '', sort, limit, offset }: ListQuery): { rows: { name: string }[]; total: number } {
  const text = q.toLowerCase().replaceAll(' ', '_');
  const found = ['UTC', ...Intl.supportedValuesOf('timeZone')].filter((name) => name.toLowerCase().includes(text));
  const sorted = sort[0]?.isDescending ? found.toReversed() : found;
  return { rows: sorted.slice(offset, offset + limit).map((name) => ({ name })), total: found.length };
}
