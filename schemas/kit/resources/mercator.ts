/** Width and height of the world on the map that positions are kept on: Web Mercator, whole numbers. */
export const WORLD = 2 ** 30;
/** Beyond it the map has no place; what lies there is shown at its edge. */
const HIGHEST_LATITUDE = 85.051_128;

const within = (value: number, most: number): number => Math.min(most, Math.max(0, value));

/** Where a longitude is on the map. Not limited to it: 190° lies 10° to the right of its edge. */
export function xOf(longitude: number): number {
  return Math.round(((longitude + 180) / 360) * WORLD);
}

/** Where a latitude is on the map, counted from the north. */
export function yOf(latitude: number): number {
  const sine = Math.sin((Math.max(-HIGHEST_LATITUDE, Math.min(HIGHEST_LATITUDE, latitude)) * Math.PI) / 180);
  return within(Math.round((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * WORLD), WORLD - 1);
}

/** Where a position is on the map; a longitude of 180° is that of −180°. */
export function pointOf(latitude: number, longitude: number): { x: number; y: number } {
  return { x: xOf(longitude) % WORLD, y: yOf(latitude) };
}

const DIGITS = 1e6;

/** The position of a place on the map, in degrees. */
export function positionOf(x: number, y: number): { latitude: number; longitude: number } {
  const latitude = (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / WORLD))) * 180) / Math.PI;
  return { latitude: Math.round(latitude * DIGITS) / DIGITS, longitude: Math.round(((x / WORLD) * 360 - 180) * DIGITS) / DIGITS };
}

/** The points with longitudes by which they lie closest together: 179° and −179° become 179° and 181°. */
export function joinLongitudes<P extends { longitude: number }>(points: readonly P[]): P[] {
  const sorted = points.map(({ longitude }) => longitude).toSorted((a, b) => a - b);
  const [first = 0] = sorted;
  let widest = { gap: first + 360 - (sorted.at(-1) ?? 0), west: -Infinity };
  for (const [index, longitude] of sorted.entries()) {
    const gap = (sorted[index + 1] ?? longitude) - longitude;
    if (gap > widest.gap) widest = { gap, west: longitude };
  }
  return points.map((point) => (point.longitude <= widest.west ? { ...point, longitude: point.longitude + 360 } : point));
}
