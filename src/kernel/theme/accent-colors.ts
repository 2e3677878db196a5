import { BLACK, DARK_CARD, mix, parseHex, readable, toHex, WHITE } from './colors.ts';

/** The accent of one mode; every pair of text and background is readable (4.5:1). */
interface Accent {
  /** Links and icons on cards and on `tint`. */
  text: string;
  /** Buttons, with white words on them. */
  fill: string;
  fillHover: string;
  tint: string;
  tintHover: string;
}

export interface AccentColors {
  light: Accent;
  dark: Accent;
}

/** The accent colours of both modes from one main colour (`#rrggbb`), made darker or lighter where it would not read; undefined for what is no colour. */
export function accentColors(color: string | null | undefined): AccentColors | undefined {
  const base = parseHex(color);
  if (!base) return undefined;
  const fill = readable(base, WHITE, BLACK);
  const fills = { fill: toHex(fill), fillHover: toHex(mix(fill, BLACK, 0.1)) };
  const light = { tint: mix(base, WHITE, 0.91), tintHover: mix(base, WHITE, 0.86) };
  const dark = { tint: mix(base, DARK_CARD, 0.76), tintHover: mix(base, DARK_CARD, 0.7) };
  return {
    light: { ...fills, text: toHex(readable(base, light.tintHover, BLACK)), tint: toHex(light.tint), tintHover: toHex(light.tintHover) },
    dark: {
      ...fills,
      // A dark colour's tint is darker than the card itself.
      text: toHex(readable(readable(mix(base, WHITE, 0.3), dark.tintHover, WHITE), DARK_CARD, WHITE)),
      tint: toHex(dark.tint),
      tintHover: toHex(dark.tintHover),
    },
  };
}

/** A text colour for the dark page, made lighter until it reads there. */
export function darkInk(color: string | null | undefined): string | undefined {
  const base = parseHex(color);
  return base && toHex(readable(base, DARK_CARD, WHITE));
}

/** A theme's colours as the variables of ui/theme/tokens.css. */
export function themeVariables(theme: { main_color: string | null; dark_mode_text_color: string | null } | null): Record<string, string> {
  const accent = accentColors(theme?.main_color);
  const ink = darkInk(theme?.dark_mode_text_color);
  const both = (name: keyof Accent): string => (accent ? `light-dark(${accent.light[name]}, ${accent.dark[name]})` : '');
  return {
    ...(accent
      ? {
          '--c-accent': both('text'),
          '--c-accent-fill': both('fill'),
          '--c-accent-fill-hover': both('fillHover'),
          '--c-accent-tint': both('tint'),
          '--c-accent-tint-hover': both('tintHover'),
        }
      : {}),
    ...(ink ? { '--c-ink': `light-dark(#16202c, ${ink})` } : {}),
  };
}
