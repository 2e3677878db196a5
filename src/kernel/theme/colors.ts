export type Rgb = readonly [number, number, number];
export const WHITE: Rgb = [255, 255, 255];
export const BLACK: Rgb = [0, 0, 0];
/** `--c-card` of the dark page (ui/theme/tokens.css). */
export const DARK_CARD: Rgb = [22, 29, 38];
// WCAG 2.2, 1.4.3, with a little left for rounding.
const MIN_CONTRAST = 4.6;

/** Contrast of two colours by WCAG, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

/** The parts of `#rrggbb` or `#rgb`, or `undefined` for anything else. */
export function parseHex(color: string | null | undefined): Rgb | undefined {
  // #a1b2c3
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color ?? '');
  if (long) return [hex(long[1]), hex(long[2]), hex(long[3])];
  // #abc
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(color ?? '');
  return short ? [hex(short[1]) * 17, hex(short[2]) * 17, hex(short[3]) * 17] : undefined;
}

/** A colour moved towards another until it reads on the ground (4.5:1). */
export function readable(from: Rgb, ground: Rgb, towards: Rgb): Rgb {
  for (let share = 0; share <= 1; share += 0.05) {
    const ink = mix(from, towards, share).map(Math.round);
    const rounded: Rgb = [ink[0] ?? 0, ink[1] ?? 0, ink[2] ?? 0];
    if (contrast(rounded, ground) >= MIN_CONTRAST) return rounded;
  }
  return towards;
}

/** Two colours mixed; `share` of the second. */
export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}

function luminance(color: Rgb): number {
  const [r, g, b] = color.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

function hex(text: string | undefined): number {
  return Number.parseInt(text ?? '0', 16);
}

/** `#rrggbb` */
export function toHex(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}
