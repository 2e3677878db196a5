import type { Millis } from './schema.ts';

/** Where a device is, for maps: one row for each device that has a place. Written by server/kernel/places/put-places.ts alone. */
interface DevicePlacesTable {
  device_id: number;
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** On the map of schemas/kit/mercator.ts. */
  x: number;
  y: number;
  source: 'user' | 'gps' | 'site';
  /** From when it is there. */
  at: Millis;
}

export interface PlaceTables {
  device_places: DevicePlacesTable;
}
