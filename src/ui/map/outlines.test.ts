import { expect, test } from 'vitest';
import { unrolled } from './outlines.ts';

test('a border over the date line goes on beyond it', () => {
  const border = [[178, 1], [-179, 2], [-179, -2], [178, -1], [178, 1]]; // prettier-ignore
  expect(unrolled(border)).toEqual([[178, 1], [181, 2], [181, -2], [178, -1], [178, 1]]); // prettier-ignore
});

test('a border around a pole is closed at the pole', () => {
  const border = [[-170, -70], [0, -70], [170, -70], [-170, -70]]; // prettier-ignore
  expect(unrolled(border).slice(3)).toEqual([[190, -70], [190, -90], [-170, -90]]); // prettier-ignore
});
