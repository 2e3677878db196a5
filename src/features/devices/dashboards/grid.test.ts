import { expect, test } from 'vitest';
import type { Widget } from '../../../../schemas/kit/resources/dashboards.ts';
import { moved, sized, stepOf } from './grid.ts';

const widgets: Widget[] = [
  { id: 'a', type: 'text', x: 0, y: 0, w: 6, h: 2 },
  { id: 'b', type: 'text', x: 0, y: 2, w: 6, h: 2 },
];
const placesOf = (list: Widget[]) => Object.fromEntries(list.map(({ id, x, y, w, h }) => [id, [x, y, w, h]]));

test('arrow keys move a widget, and it changes places with the one below [M1]', () => {
  expect(placesOf(moved(widgets, 'a', stepOf('ArrowRight') ?? { columns: 0, rows: 0 }))).toEqual({ a: [1, 0, 6, 2], b: [0, 2, 6, 2] });
  expect(placesOf(moved(widgets, 'a', { columns: 0, rows: 1 }))).toEqual({ b: [0, 0, 6, 2], a: [0, 2, 6, 2] });
  expect(placesOf(moved(widgets, 'b', { columns: 0, rows: -2 }))).toEqual({ b: [0, 0, 6, 2], a: [0, 2, 6, 2] });
});

test('a widget stays in the grid and has a size', () => {
  expect(placesOf(moved(widgets, 'a', { columns: -5, rows: 0 }))['a']).toEqual([0, 0, 6, 2]);
  expect(placesOf(sized(widgets, 'a', { columns: 50, rows: -9 }))).toEqual({ a: [0, 0, 12, 1], b: [0, 1, 6, 2] });
});
