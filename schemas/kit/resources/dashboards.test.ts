import { expect, test } from 'vitest';
import { arranged, DASHBOARD_KINDS, faultOf, TEMPLATES, templateOf, type Widget } from './dashboards.ts';

const at = (id: string, x: number, y: number, w = 4, h = 2): Widget => ({ id, type: 'text', x, y, w, h });

test('a widget that is moved onto another one takes its place, and the other moves down', () => {
  const moved = arranged([at('a', 0, 0), at('b', 0, 0)], 'b');
  expect(moved.map(({ id, y }) => [id, y])).toEqual([['b', 0], ['a', 2]]); // prettier-ignore
});

test('a widget never leaves the grid and leaves no gap above it', () => {
  expect(arranged([at('a', 11, 9)])).toMatchObject([{ x: 8, y: 0 }]);
});

test('every template can be shown', () => {
  for (const kind of DASHBOARD_KINDS)
    for (const template of TEMPLATES) {
      const widgets = templateOf(kind, template);
      expect(faultOf(kind, widgets)).toBeUndefined();
      expect(arranged(widgets)).toHaveLength(widgets.length);
    }
});

test('what cannot be shown is named', () => {
  expect(faultOf('fleet', [{ ...at('a', 0, 0), type: 'states', source: 'presence' }])).toBe('widgets.0.type');
  expect(faultOf('fleet', [at('a', 0, 0), at('a', 4, 0)])).toBe('widgets.1.id');
  expect(faultOf('fleet', [at('a', 10, 0)])).toBe('widgets.0.w');
  expect(faultOf('device', [{ ...at('a', 0, 0), type: 'line', source: 'devices' }])).toBe('widgets.0.source');
});
