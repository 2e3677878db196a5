/** A round area: degrees, and a radius in metres. */
export interface Area {
  latitude: number;
  longitude: number;
  radius: number;
}

export const MOST_RADIUS = 20_000_000;

/** `59.91,10.75,500`: degrees and a radius in metres; undefined for anything else. */
export function readArea(text: string): Area | undefined {
  const [latitude = Number.NaN, longitude = Number.NaN, radius = Number.NaN, ...rest] = text
    .split(',')
    .map((part) => Number(part.trim() || Number.NaN));
  const isGood = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && radius > 0 && radius <= MOST_RADIUS && rest.length === 0;
  return isGood ? { latitude, longitude, radius } : undefined;
}

/** The text that `readArea` reads. */
export const areaText = ({ latitude, longitude, radius }: Area): string => [latitude, longitude, radius].join(',');
