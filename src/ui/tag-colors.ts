import { BLACK, DARK_CARD, mix, parseHex, readable, toHex, WHITE, type Rgb } from '../kernel/theme/colors.ts';

/** Text and background of a coloured chip, for the light and the dark page. */
export interface TagColors {
  light: { ink: string; tint: string };
  dark: { ink: string; tint: string };
}

const GREY: Rgb = [120, 132, 146];

/** Colours for a chip from any `#rrggbb`: a tint of it as the ground, and its hue as the text, moved until it reads (4.5:1). */
export function tagColors(color: string | null | undefined): TagColors {
  const base = parseHex(color) ?? GREY;
  const lightTint = mix(base, WHITE, 0.88);
  const darkTint = mix(base, DARK_CARD, 0.72);
  return {
    light: { tint: toHex(lightTint), ink: toHex(readable(base, lightTint, BLACK)) },
    dark: { tint: toHex(darkTint), ink: toHex(readable(mix(base, WHITE, 0.4), darkTint, WHITE)) },
  };
}
