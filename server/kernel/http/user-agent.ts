// The order decides: Edge and Opera call themselves Chrome too, and Chrome calls itself Safari.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const LONGEST = 60;

/** What a browser says that it is, such as `Firefox, Linux`; the beginning of its own words when it is none that we know. */
export function deviceOf(userAgent: string): string {
  const find = (list: typeof BROWSERS): string | undefined => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const known = [find(BROWSERS), find(SYSTEMS)].filter((name) => name !== undefined);
  return known.length > 0 ? known.join(', ') : userAgent.slice(0, LONGEST);
}
