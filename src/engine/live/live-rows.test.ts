import { describe, expect, test } from 'vitest';
import type { Row } from '../resources/resource.ts';
import { registerFilterRule, type ListFilter } from '../resources/registry.ts';
import { applyBatch, loadedPage, type LiveBatch } from './live-rows.ts';
import { rowMatches } from './row-matches.ts';

const rows: Row[] = [
  { id: 1, name: 'a', status: 1, tags: [] },
  { id: 2, name: 'b', status: 0, tags: [] },
];
const batch = (part: Partial<LiveBatch>): LiveBatch => ({ changed: [], added: [], removed: [], ...part });
const online = (row: Row) => rowMatches('devices', row, [{ key: 'status', negated: false, values: [1] }]);
const all = () => true;

describe('live rows [T8]', () => {
  test('only a touched row becomes a new object', () => {
    const page = applyBatch(loadedPage(rows), batch({ changed: [{ id: 2, status: 1 }] }), all);
    expect(page.rows[0]).toBe(rows[0]);
    expect(page.rows[1]).toEqual({ id: 2, name: 'b', status: 1, tags: [] });
    expect(page.changes.get(2)).toEqual({ status: 1 });
  });

  test('an event that changes nothing on the page gives back the same page', () => {
    const page = loadedPage(rows);
    expect(
      applyBatch(
        page,
        batch({
          changed: [
            { id: 1, status: 1, tags: [] },
            { id: 99, status: 0 },
          ],
        }),
        all,
      ),
    ).toBe(page);
  });

  test('several events of one row in a batch count once, the last value wins', () => {
    const page = applyBatch(
      loadedPage(rows),
      batch({
        changed: [
          { id: 2, status: 2 },
          { id: 2, status: 1, name: 'c' },
        ],
      }),
      all,
    );
    expect(page.rows[1]).toMatchObject({ status: 1, name: 'c' });
    expect(page.changes.get(2)).toEqual({ status: 1, name: 1 });
  });

  test('a row that stops matching stays, marked, and loses the mark when it matches again', () => {
    const gone = applyBatch(loadedPage(rows), batch({ changed: [{ id: 1, status: 0 }] }), online);
    expect([gone.rows.length, gone.marks.get(1)]).toEqual([2, 'no-match']);
    expect(applyBatch(gone, batch({ changed: [{ id: 1, status: 1 }] }), online).marks.size).toBe(0);
  });

  test('a removed row stays, marked, whatever comes after', () => {
    const gone = applyBatch(loadedPage(rows), batch({ removed: [1, 99] }), all);
    expect([...gone.marks]).toEqual([[1, 'removed']]);
    expect(applyBatch(gone, batch({ changed: [{ id: 1, name: 'z' }] }), all).marks.get(1)).toBe('removed');
  });

  test('new records are counted once, without those that do not match and those removed again', () => {
    const added = [
      { id: 7, status: 1 },
      { id: 8, status: 0 },
      { id: 1, status: 1 },
    ];
    const page = applyBatch(applyBatch(loadedPage(rows), batch({ added }), online), batch({ added }), online);
    expect([...page.added]).toEqual([7]);
    expect(applyBatch(page, batch({ removed: [7] }), online).added.size).toBe(0);
  });
});

describe('rowMatches', () => {
  test.each<[string, ListFilter, boolean | undefined]>([
    ['one of several values', { key: 'status', negated: false, values: [0, 1] }, true],
    ['none of the values', { key: 'status', negated: false, values: [0, 2] }, false],
    ['a negation', { key: 'status', negated: true, values: [1] }, false],
    ['a word for a number', { key: 'status', negated: false, values: ['online'] }, undefined],
    ['a filter that is no field', { key: 'tag_id', negated: false, values: [3] }, undefined],
  ])('judges %s', (_, filter, answer) => expect(rowMatches('devices', { id: 1, status: 1 }, [filter])).toBe(answer));

  test('a rule of the resource judges a filter whose values are words', () => {
    registerFilterRule('test-devices', 'status', (row, value) => (value === 'online') === (row['status'] === 1));
    const words: ListFilter = { key: 'status', negated: true, values: ['online'] };
    expect(rowMatches('test-devices', { id: 1, status: 1 }, [words])).toBe(false);
    expect(rowMatches('test-devices', { id: 1, status: null }, [words])).toBe(true);
  });
});
