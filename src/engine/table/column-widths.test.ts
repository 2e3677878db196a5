import { expect, test } from 'vitest';
import { headingPx, layOutColumns, sizedByHand } from './column-widths.ts';

const columns = [{ key: 'status', width: 100 }, { key: 'name', primary: true }, { key: 'company' }, { key: 'tags' }];

test('columns without a width share what is left, the name with the largest part', () => {
  expect(layOutColumns(columns, 1120, {})).toEqual({ status: 100, name: 420, company: 300, tags: 300 });
});

test('a column with a larger share gets more of what is left', () => {
  const wide = [{ key: 'name', primary: true }, { key: 'kind' }, { key: 'text', share: 1.6 }];
  expect(layOutColumns(wide, 1200, {})).toEqual({ name: 420, kind: 300, text: 480 });
});

test('in a narrow window columns keep what they need, so that the table scrolls instead of shrinking', () => {
  expect(layOutColumns(columns, 300, {})).toEqual({ status: 100, name: 180, company: 116, tags: 116 });
});

test('a width of the user is kept, and the others share what is left', () => {
  expect(layOutColumns(columns, 1120, { name: 200, tags: 300 })).toEqual({ status: 100, name: 200, company: 520, tags: 300 });
});

test('only what the user sized is kept, and a column that is reset shares again', () => {
  const laidOut = layOutColumns(columns, 1120, { tags: 300 });
  expect(sizedByHand({ ...laidOut, company: 250 }, laidOut, { tags: 300 })).toEqual({ tags: 300, company: 250 });
  const { tags: _, ...rest } = laidOut;
  expect(sizedByHand(rest, laidOut, { tags: 300 })).toEqual({});
});

test('a column with a width is as wide as the longest word of its heading, whatever the language', () => {
  const width = (label: string) =>
    layOutColumns([{ key: 'joined', width: 97, sortable: true }], 1000, {}, (column) => headingPx(label, column.sortable === true))[
      'joined'
    ];
  expect(width('Joined')).toBe(97);
  expect(width('Приєднано пристроїв')).toBeGreaterThan(97);
  expect(width('ファームウェアの版')).toBeGreaterThan(headingPx('版', true));
  expect(layOutColumns([{ key: 'joined', width: 97 }], 1000, { joined: 60 }, () => 140)).toEqual({ joined: 60 });
});
