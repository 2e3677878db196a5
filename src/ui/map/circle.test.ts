import { expect, test } from 'vitest';
import { circleAround, metresBetween, pointAt } from './circle.ts';

const OSLO = { latitude: 59.91, longitude: 10.75 };

test('every corner of a circle is as far from its middle as its radius', () => {
  for (const middle of [OSLO, { latitude: -16.5, longitude: 179.99 }, { latitude: 0, longitude: 0 }])
    for (const corner of circleAround(middle, 5000)) expect(metresBetween(middle, corner)).toBeCloseTo(5000, 0);
});

test('a circle over the date line stays in one piece', () => {
  const longitudes = circleAround({ latitude: -16.5, longitude: 179.99 }, 50_000).map(({ longitude }) => longitude);
  expect(Math.max(...longitudes)).toBeGreaterThan(180);
  expect(Math.min(...longitudes)).toBeGreaterThan(179);
});

test('a point is found by distance and bearing', () => {
  const east = pointAt(OSLO, 1000, 90);
  expect(east.latitude).toBeCloseTo(59.91, 3);
  expect(east.longitude).toBeGreaterThan(10.75);
  expect(metresBetween(OSLO, { latitude: 60.39, longitude: 5.32 })).toBeCloseTo(305_000, -4);
});
