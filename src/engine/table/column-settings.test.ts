import { describe, expect, test } from 'vitest';
import type { ColumnEntry } from '../../../schemas/kit/resources/resource-types.ts';
import { columnStateOf, DEFAULT_COLUMN_SETTINGS, moveColumn, readColumnSettings, withColumnState } from './column-settings.ts';
import type { ColumnSettings, ColumnState } from './column-settings.ts';

const columns: ColumnEntry[] = [{ key: 'status' }, { key: 'name', primary: true }, { key: 'serial', optional: true }, { key: 'tags' }];

/** What a table shows with these settings, from left to right. */
function visible(settings: ColumnSettings): string[] {
  const { columnOrder, columnVisibility, columnPinning } = columnStateOf(columns, settings);
  const isPinned = (key: string) => [...columnPinning.start, ...columnPinning.end].includes(key);
  return [...columnPinning.start, ...columnOrder.filter((key) => !isPinned(key)), ...columnPinning.end].filter(
    (key) => columnVisibility[key],
  );
}
const change = (settings: ColumnSettings, state: Partial<ColumnState>) => withColumnState(columns, settings, state);
const show = (settings: ColumnSettings, shown: Record<string, boolean>) =>
  change(settings, { columnVisibility: { ...columnStateOf(columns, settings).columnVisibility, ...shown } });

describe('column settings [T2]', () => {
  test('optional columns are hidden until chosen, others visible until hidden', () => {
    expect(visible(DEFAULT_COLUMN_SETTINGS)).toEqual(['status', 'name', 'tags']);
    const chosen = show(DEFAULT_COLUMN_SETTINGS, { serial: true, status: false });
    expect(visible(chosen)).toEqual(['name', 'serial', 'tags']);
    expect(visible(show(chosen, { serial: false, status: true }))).toEqual(['status', 'name', 'tags']);
  });

  test('the column with the row link cannot be hidden', () => {
    expect(visible(show(DEFAULT_COLUMN_SETTINGS, { name: false }))).toContain('name');
  });

  test('a column moves to its new place and never out of the list', () => {
    const keys = ['status', 'name', 'tags'];
    const none = { start: [], end: [] };
    expect(moveColumn(keys, none, 'tags', 0)).toEqual(['tags', 'status', 'name']);
    expect(moveColumn(keys, none, 'status', 99)).toEqual(['name', 'tags', 'status']);
    expect(moveColumn(keys, none, 'gone', 0)).toEqual(keys);
  });

  test('pinned columns are at their sides, and move only among those pinned alike', () => {
    const pinned = change(DEFAULT_COLUMN_SETTINGS, { columnPinning: { start: ['tags'], end: ['status'] } });
    expect(visible(pinned)).toEqual(['tags', 'name', 'status']);
    expect(pinned.pinned).toEqual({ tags: 'left', status: 'right' });
    expect(moveColumn(['tags', 'name', 'status'], { start: ['tags'], end: ['status'] }, 'name', 0)).toEqual(['tags', 'name', 'status']);
    expect(moveColumn(['name', 'tags', 'status'], { start: ['tags', 'name'], end: ['status'] }, 'tags', 0)).toEqual([
      'tags',
      'name',
      'status',
    ]);
  });

  test('a width is kept inside its limits and given back', () => {
    const sized = change(DEFAULT_COLUMN_SETTINGS, { columnSizing: { tags: 3, name: 9999 } });
    expect(sized.widths).toEqual({ tags: 60, name: 800 });
    expect(change(sized, { columnSizing: { name: 800 } }).widths).toEqual({ name: 800 });
  });

  test('columns that the user may not see now keep their settings', () => {
    const before: ColumnSettings = { ...DEFAULT_COLUMN_SETTINGS, hidden: ['owner'], widths: { owner: 90 }, pinned: { owner: 'left' } };
    const after = change(show(before, { status: false }), { columnSizing: { tags: 120 }, columnPinning: { start: ['name'], end: [] } });
    expect(after).toMatchObject({ hidden: ['owner', 'status'], widths: { owner: 90, tags: 120 }, pinned: { owner: 'left', name: 'left' } });
  });

  test('a column that came with an update takes the place that the entry gives it', () => {
    expect(visible({ ...DEFAULT_COLUMN_SETTINGS, order: ['tags', 'name'] })).toEqual(['status', 'tags', 'name']);
  });

  test.each([
    [null],
    ['text'],
    [[1, 2]],
    [{ order: 'name', hidden: [1, {}], pinned: { name: 'top' }, widths: { name: 'wide', tags: null }, density: 'huge' }],
  ])('a stored value that does not fit (%j) means the default', (stored) =>
    expect(readColumnSettings(stored)).toEqual(DEFAULT_COLUMN_SETTINGS),
  );

  test('settings survive being stored as JSON', () => {
    const settings: ColumnSettings = {
      order: ['tags', 'name'],
      hidden: ['status'],
      shown: ['serial'],
      pinned: { tags: 'left', name: 'right' },
      widths: { tags: 240 },
      density: 'compact',
    };
    expect(readColumnSettings(JSON.parse(JSON.stringify(settings)))).toEqual(settings);
  });
});
