import { expect, test } from 'vitest';
import { joinLongitudes } from './mercator.ts';

const longitudesOf = (...longitudes: number[]): number[] =>
  joinLongitudes(longitudes.map((longitude) => ({ longitude }))).map(({ longitude }) => longitude);

test('a fleet on both sides of 180° lies together, and one that is not stays where it is [CI4]', () => {
  expect(longitudesOf(177.5, -178.2, 179.9)).toEqual([177.5, 181.8, 179.9]);
  expect(longitudesOf(10, 5, -5)).toEqual([10, 5, -5]);
  expect(longitudesOf(-179)).toEqual([-179]);
  expect(longitudesOf(-120, 140)).toEqual([240, 140]);
});
