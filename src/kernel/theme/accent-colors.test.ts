import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accentColors, darkInk, themeVariables } from './accent-colors.ts';
import { contrast, DARK_CARD, parseHex, WHITE, type Rgb } from './colors.ts';

const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const rgb = (color: string | undefined): Rgb => parseHex(color) ?? [0, 0, 0];

test('any main colour reads at 4.5:1 as link, as button and on its own tints, in light and in dark [X1]', () => {
  fc.assert(
    fc.property(anyColor, (color) => {
      const accent = accentColors(color);
      if (!accent) throw new Error('a colour has an accent');
      for (const [mode, card] of [
        ['light', WHITE],
        ['dark', DARK_CARD],
      ] as const) {
        const { text, fill, fillHover, tint, tintHover } = accent[mode];
        for (const ground of [card, rgb(tint), rgb(tintHover)]) expect(contrast(rgb(text), ground)).toBeGreaterThanOrEqual(4.5);
        for (const ground of [fill, fillHover]) expect(contrast(WHITE, rgb(ground))).toBeGreaterThanOrEqual(4.5);
      }
    }),
  );
});

test('any text colour reads on the dark page [X1]', () => {
  fc.assert(fc.property(anyColor, (color) => void expect(contrast(rgb(darkInk(color)), DARK_CARD)).toBeGreaterThanOrEqual(4.5)));
});

test('what is no colour becomes no style [IN1]', () => {
  expect(themeVariables({ main_color: 'red;background:url(//x)', dark_mode_text_color: null })).toEqual({});
  expect(themeVariables(null)).toEqual({});
});
