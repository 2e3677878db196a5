import { expect, test } from 'vitest';
import { placeFloating } from './place-floating.ts';

const view = { width: 1000, height: 600 };
const anchorAt = (left: number, top: number) => ({ left, top, right: left + 100, bottom: top + 30, width: 100, height: 30 });

test('stands below its anchor', () => {
  expect(placeFloating({ anchor: anchorAt(50, 100), box: { width: 200, height: 150 }, view, placement: 'bottom-start' })).toEqual({
    left: 50,
    top: 136,
    maxHeight: 456,
  });
});

test('goes above where there is more room', () => {
  const spot = placeFloating({ anchor: anchorAt(50, 540), box: { width: 200, height: 150 }, view, placement: 'bottom-start' });
  expect(spot.top).toBe(384);
});

test('stays inside the window at either edge', () => {
  const box = { width: 300, height: 100 };
  expect(placeFloating({ anchor: anchorAt(950, 10), box, view, placement: 'bottom-start' }).left).toBe(692);
  expect(placeFloating({ anchor: anchorAt(0, 10), box, view, placement: 'bottom-end' }).left).toBe(8);
});

test('a box that fits nowhere gets the larger side and its height', () => {
  const spot = placeFloating({ anchor: anchorAt(0, 200), box: { width: 100, height: 2000 }, view, placement: 'bottom-start' });
  expect(spot).toEqual({ left: 8, top: 236, maxHeight: 356 });
});
