import { readArea } from '../../../schemas/kit/form/area.ts';

const EARTH_METRES = 6_371_000;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Whether a position `59.91,10.75` lies in an area; the shorter way around the date line counts. */
export function isInside(position: string, area: string): boolean {
  const [latitude = Number.NaN, longitude = Number.NaN] = position.split(',').map(Number);
  const centre = readArea(area);
  if (!centre || !Number.isFinite(latitude) || !Number.isFinite(longitude)) return false;
  const [north, east] = [radians(latitude - centre.latitude), radians(longitude - centre.longitude)];
  const half = Math.sin(north / 2) ** 2 + Math.cos(radians(latitude)) * Math.cos(radians(centre.latitude)) * Math.sin(east / 2) ** 2;
  return 2 * EARTH_METRES * Math.asin(Math.sqrt(half)) <= centre.radius;
}
