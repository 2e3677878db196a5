import { describe, expect, test } from 'vitest';
import type { ColumnEntry } from '../../../schemas/kit/resource-types.ts';
import {
  chooseColumns,
  DEFAULT_COLUMN_SETTINGS,
  moveColumn,
  pinColumn,
  readColumnSettings,
  sizeColumn,
  toggleColumn,
} from './column-settings.ts';
import type { ColumnSettings } from './column-settings.ts';

const columns: ColumnEntry[] = [{ key: 'status' }, { key: 'name', primary: true }, { key: 'serial', optional: true }, { key: 'tags' }];
const visible = (settings: ColumnSettings) =>
  chooseColumns(columns, settings)
    .filter((choice) => choice.visible)
    .map((choice) => choice.column.key);
const column = (key: string): ColumnEntry => columns.find((entry) => entry.key === key) ?? { key };

describe('T2 column settings', () => {
  test('optional columns are hidden until chosen, others visible until hidden', () => {
    expect(visible(DEFAULT_COLUMN_SETTINGS)).toEqual(['status', 'name', 'tags']);
    const chosen = toggleColumn(toggleColumn(DEFAULT_COLUMN_SETTINGS, column('serial'), true), column('status'), false);
    expect(visible(chosen)).toEqual(['name', 'serial', 'tags']);
    expect(visible(toggleColumn(toggleColumn(chosen, column('serial'), false), column('status'), true))).toEqual([
      'status',
      'name',
      'tags',
    ]);
  });

  test('the column with the row link cannot be hidden', () => {
    expect(visible(toggleColumn(DEFAULT_COLUMN_SETTINGS, column('name'), false))).toContain('name');
  });

  test('a column moves to its new place and never out of the list', () => {
    expect(visible(moveColumn(DEFAULT_COLUMN_SETTINGS, columns, 'tags', 0))).toEqual(['tags', 'status', 'name']);
    expect(visible(moveColumn(DEFAULT_COLUMN_SETTINGS, columns, 'status', 99))).toEqual(['name', 'tags', 'status']);
    expect(moveColumn(DEFAULT_COLUMN_SETTINGS, columns, 'gone', 0)).toBe(DEFAULT_COLUMN_SETTINGS);
  });

  test('pinned columns stand at their sides, and move only among those pinned alike', () => {
    const pinned = pinColumn(pinColumn(DEFAULT_COLUMN_SETTINGS, 'tags', 'left'), 'status', 'right');
    expect(visible(pinned)).toEqual(['tags', 'name', 'status']);
    expect(visible(moveColumn(pinned, columns, 'name', 0))).toEqual(['tags', 'name', 'status']);
    const two = pinColumn(pinned, 'name', 'left');
    expect(visible(moveColumn(two, columns, 'tags', 0))).toEqual(['tags', 'name', 'status']);
    expect(visible(pinColumn(pinColumn(two, 'status', undefined), 'tags', undefined))).toEqual(['name', 'status', 'tags']);
  });

  test('a width is kept inside its limits and given back', () => {
    const sized = sizeColumn(sizeColumn(DEFAULT_COLUMN_SETTINGS, 'tags', 3), 'name', 9999);
    expect(sized.widths).toEqual({ tags: 60, name: 800 });
    expect(sizeColumn(sized, 'tags', undefined).widths).toEqual({ name: 800 });
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
