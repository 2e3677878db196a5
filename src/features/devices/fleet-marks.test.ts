import { expect, test } from 'vitest';
import { areaInSight, cornersOf, drawnMark } from './fleet-marks.ts';

const words = (key: string): string => key;
const mark = { latitude: 1, longitude: 2, count: 20, online: 20, offline: 0, pending: 0, device: null };

test('a mark of several is drawn as bad from one in ten offline', () => {
  expect(drawnMark(mark, words).kind).toBe('good');
  expect(drawnMark({ ...mark, online: 19, offline: 1 }, words).kind).toBe('good');
  expect(drawnMark({ ...mark, online: 18, offline: 2 }, words).kind).toBe('bad');
  expect(drawnMark({ ...mark, online: 0 }, words).kind).toBe('idle');
});

test('what is in sight stays within the latitudes that there are, and may go over the date line', () => {
  expect(areaInSight({ zoom: 1, south: -95, west: 170, north: 95, east: 190 })).toEqual(['-90.00000:170.00000', '90.00000:190.00000']);
});

test.each([null, '', '1:2,3:4', '1:2,3:4,x', 'a:b,c:d,e:f'])('an address without an area gives no corners: %s', (text) => {
  expect(cornersOf(text)).toEqual([]);
});

test('the corners of an address are an area', () => {
  expect(cornersOf('1:2,3:4,-5.5:190')).toEqual([
    { latitude: 1, longitude: 2 },
    { latitude: 3, longitude: 4 },
    { latitude: -5.5, longitude: 190 },
  ]);
});
