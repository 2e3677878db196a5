import type { MapPoint } from './types.ts';

const EARTH_METRES = 6_371_000;
const CORNERS = 72;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;

/** The point that lies so many metres away; `bearing` in degrees from the north. Its longitude is next to that of `from`, also beyond 180. */
export function pointAt({ latitude, longitude }: MapPoint, metres: number, bearing: number): MapPoint {
  const [north, angle, turn] = [radians(latitude), metres / EARTH_METRES, radians(bearing)];
  const sine = Math.sin(north) * Math.cos(angle) + Math.cos(north) * Math.sin(angle) * Math.cos(turn);
  const east = Math.atan2(Math.sin(turn) * Math.sin(angle) * Math.cos(north), Math.cos(angle) - Math.sin(north) * sine);
  return { latitude: degrees(Math.asin(Math.max(-1, Math.min(1, sine)))), longitude: longitude + degrees(east) };
}

/** Metres between two points, the shorter way around. */
export function metresBetween(one: MapPoint, other: MapPoint): number {
  const [north, east] = [radians(other.latitude - one.latitude), radians(other.longitude - one.longitude)];
  const half = Math.sin(north / 2) ** 2 + Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * Math.sin(east / 2) ** 2;
  return 2 * EARTH_METRES * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** The corners of a circle, to be drawn as an area. */
export const circleAround = (middle: MapPoint, metres: number): MapPoint[] =>
  Array.from({ length: CORNERS }, (_, index) => pointAt(middle, metres, (index * 360) / CORNERS));
