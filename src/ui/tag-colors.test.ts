import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast, parseHex } from '../kernel/theme/colors.ts';
import { tagColors } from './tag-colors.ts';

const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('a chip of any colour reads at 4.5:1 on the light and on the dark page', () => {
  fc.assert(
    fc.property(anyColor, (color) => {
      const { light, dark } = tagColors(color);
      for (const { ink, tint } of [light, dark]) {
        expect(contrast(parseHex(ink) ?? [0, 0, 0], parseHex(tint) ?? [0, 0, 0])).toBeGreaterThanOrEqual(4.5);
      }
    }),
  );
});

test('what is no colour gets the grey chip', () => {
  expect(tagColors('red; background: url(//x)')).toEqual(tagColors(null));
});
