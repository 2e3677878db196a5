import { describe, expect, test } from 'vitest';
import type { ColumnEntry } from '../../../schemas/kit/resource-types.ts';
import { chooseColumns, DEFAULT_COLUMN_SETTINGS, moveColumn, readColumnSettings, toggleColumn } from './column-settings.ts';
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

  test('a column that came with an update takes the place that the entry gives it', () => {
    expect(visible({ ...DEFAULT_COLUMN_SETTINGS, order: ['tags', 'name'] })).toEqual(['status', 'tags', 'name']);
  });

  test.each([[null], ['text'], [[1, 2]], [{ order: 'name', hidden: [1, {}], density: 'huge' }]])(
    'a stored value that does not fit (%j) means the default',
    (stored) => expect(readColumnSettings(stored)).toEqual(DEFAULT_COLUMN_SETTINGS),
  );

  test('settings survive being stored as JSON', () => {
    const settings: ColumnSettings = { order: ['tags', 'name'], hidden: ['status'], shown: ['serial'], density: 'compact' };
    expect(readColumnSettings(JSON.parse(JSON.stringify(settings)))).toEqual(settings);
  });
});
