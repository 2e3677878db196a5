import type { GeoJsonObject, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

type World = Topology<{ countries: GeometryCollection }>;

const POLE = 90;
/** Below this zoom the coarse outlines look the same. */
export const FINE_FROM_ZOOM = 4;

/** A border that goes on over the date line instead of back across the whole map, and around the pole where it encloses it. */
export function unrolled(border: readonly Position[]): Position[] {
  let turn = 0;
  let former = border[0]?.[0] ?? 0;
  const points = border.map(([longitude = 0, latitude = 0]): Position => {
    if (longitude - former > 180) turn -= 360;
    if (former - longitude > 180) turn += 360;
    former = longitude;
    return [longitude + turn, latitude];
  });
  const [first, last] = [points[0], points.at(-1)];
  if (turn === 0 || !first || !last) return points;
  return [...points, [last[0] ?? 0, -POLE], [first[0] ?? 0, -POLE]];
}

function shapes(world: World): GeoJsonObject {
  const countries = feature(world, world.objects.countries);
  for (const { geometry } of countries.features) {
    if (geometry.type === 'Polygon') geometry.coordinates = geometry.coordinates.map(unrolled);
    if (geometry.type === 'MultiPolygon') geometry.coordinates = geometry.coordinates.map((parts) => parts.map(unrolled));
  }
  return countries;
}

// The types of a JSON file of half a megabyte are not asked for.
const load = {
  coarse: async () => shapes((await import('world-atlas/countries-110m.json')).default as unknown as World),
  fine: async () => shapes((await import('world-atlas/countries-50m.json')).default as unknown as World),
};
export type Detail = keyof typeof load;
const known = new Map<Detail, Promise<GeoJsonObject>>();

/** The outlines of all countries (Natural Earth), loaded once. */
export function loadOutlines(detail: Detail): Promise<GeoJsonObject> {
  const loading = known.get(detail) ?? load[detail]();
  known.set(detail, loading);
  loading.catch(() => known.delete(detail));
  return loading;
}
