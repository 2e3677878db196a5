import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Resource } from '../resources/resource.ts';
import {
  defaultListState,
  filterQuery,
  listQuery,
  PAGE_SIZES,
  readListState,
  withFilter,
  withoutFilters,
  writeListState,
} from './list-state.ts';
import type { ListState } from './list-state.ts';
import type { ListFilter } from '../resources/registry.ts';

const resource: Resource = {
  name: 'devices',
  entity: 'device',
  titleField: 'name',
  routes: { list: '/management/devices' },
  permission: { list: 'view_devices' },
  table: {
    defaultSort: { key: 'name', order: 'asc' },
    columns: [{ key: 'name', sortable: true }, { key: 'created_at', sortable: true }, { key: 'mac' }],
    filters: [
      { key: 'status', kind: 'enum', values: [0, 1, 'none'], negatable: true },
      { key: 'company_id', kind: 'lookup', lookup: 'companies' },
      { key: 'tag_id', kind: 'lookup', lookup: 'tags', multiple: true, negatable: true },
      { key: 'firmware', kind: 'text', negatable: true },
      { key: 'is_simulated', kind: 'boolean' },
    ],
  },
};
const read = (search: string) => readListState(new URLSearchParams(search), resource);
const write = (state: ListState, search = '') => writeListState(new URLSearchParams(search), state, resource);

describe('the list state in the address [T1]', () => {
  test('nothing in the address is the default, and the default writes nothing', () => {
    expect(read('')).toEqual(defaultListState(resource));
    expect(write(defaultListState(resource))).toBe('');
  });

  test('numbers, booleans, texts and lists come back with their types', () => {
    const state = read('status=0,none&tag_id=3,4&ne:firmware=07.14,2&is_simulated=false&company_id=12');
    expect(state.filters).toEqual([
      { key: 'status', negated: false, values: [0, 'none'] },
      { key: 'tag_id', negated: false, values: [3, 4] },
      { key: 'firmware', negated: true, values: ['07.14', '2'] },
      { key: 'is_simulated', negated: false, values: [false] },
      { key: 'company_id', negated: false, values: [12] },
    ]);
  });

  test('an address is short and readable', () => {
    const state = withFilter(withFilter(defaultListState(resource), { key: 'status', negated: true, values: [0, 1] }), {
      key: 'tag_id',
      negated: false,
      values: [7],
    });
    expect(write({ ...state, sort: [{ key: 'created_at', desc: true }], page: 3 })).toBe('ne:status=0,1&tag_id=7&sort=-created_at&page=3');
  });

  test.each([
    ['an unknown enum value', 'status=banana', []],
    ['a filter that cannot be negated', 'ne:company_id=4', []],
    ['an unknown parameter', 'colour=red', []],
    ['a boolean that is none', 'is_simulated=yes', []],
  ])('%s is ignored', (_, search, filters) => expect(read(search).filters).toEqual(filters));

  test.each([['page=0'], ['page=-2'], ['page=1.5'], ['page=x'], ['size=37'], ['sort=mac'], ['sort=constructor']])(
    '%s falls back to the default',
    (search) => expect(read(search)).toEqual(defaultListState(resource)),
  );

  test("other people's parameters stay, in their order and with repeats", () => {
    const search = 'utm=1&status=1&from=2026-01-01&utm=2';
    expect(write(withoutFilters(read(search)), search)).toBe('utm=1&from=2026-01-01&utm=2');
  });

  test('every state that a user can make survives being written and read', () => {
    const text = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' });
    const negated = fc.boolean();
    const filters = fc.tuple(
      fc.option(fc.record({ key: fc.constant('status'), negated, values: fc.subarray<string | number>([0, 1, 'none'], { minLength: 1 }) })),
      fc.option(fc.record({ key: fc.constant('company_id'), negated: fc.constant(false), values: fc.tuple(fc.nat()) })),
      fc.option(fc.record({ key: fc.constant('tag_id'), negated, values: fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 5 }) })),
      fc.option(fc.record({ key: fc.constant('firmware'), negated, values: fc.tuple(text) })),
      fc.option(fc.record({ key: fc.constant('is_simulated'), negated: fc.constant(false), values: fc.tuple(fc.boolean()) })),
    );
    const states = fc.record<ListState>({
      q: fc.string({ maxLength: 20, unit: 'grapheme' }),
      filters: filters.map((parts): ListFilter[] => parts.filter((part) => part !== null)),
      sort: fc.constantFrom(
        [{ key: 'name', desc: true }],
        [{ key: 'created_at', desc: false }],
        [
          { key: 'created_at', desc: true },
          { key: 'name', desc: false },
        ],
      ),
      page: fc.integer({ min: 1, max: 99999 }),
      size: fc.constantFrom(...PAGE_SIZES),
      view: fc.option(text, { nil: undefined }),
      tab: fc.option(text, { nil: undefined }),
    });
    fc.assert(
      fc.property(states, (state) => {
        expect(read(write(state, 'keep=me&status=1'))).toEqual(state);
        expect(new URLSearchParams(write(state, 'keep=me')).get('keep')).toBe('me');
      }),
    );
  });
});

describe('the query of the list call', () => {
  test('a page is an offset, several values are a comma list, a negation has its prefix', () => {
    expect(listQuery(read('q=%20quay%20&status=0,1&ne:firmware=07.14.2&page=3&size=25&sort=-created_at'))).toEqual({
      q: 'quay',
      status: '0,1',
      'ne:firmware': '07.14.2',
      sort: '-created_at',
      limit: '25',
      offset: '50',
    });
  });
  test('what selects rows says nothing about page and order', () => {
    expect(filterQuery(read('status=1&page=3&sort=-created_at'))).toEqual({ status: '1' });
  });
});

describe('changing filters', () => {
  test('a filter with the same key and sense replaces the former and goes back to the first page', () => {
    const state = withFilter(read('status=1&page=4'), { key: 'status', negated: false, values: [0] });
    expect([state.filters, state.page]).toEqual([[{ key: 'status', negated: false, values: [0] }], 1]);
  });
  test('a filter without values is taken away', () => {
    expect(withFilter(read('status=1'), { key: 'status', negated: false, values: [] }).filters).toEqual([]);
  });
});

describe('values with commas', () => {
  test('are written so that they come back, and lists of addresses mean what they did [CC7]', () => {
    const state = withFilter(read(''), { key: 'firmware', negated: false, values: ['Sprint, Inc.'] });
    expect(listQuery(state)).toMatchObject({ firmware: String.raw`Sprint\, Inc.` });
    expect(read(write(state)).filters).toEqual(state.filters);
    expect(read('firmware=a,b').filters).toEqual([{ key: 'firmware', negated: false, values: ['a', 'b'] }]);
  });
});
