import type { Generated } from 'kysely';
import type { Millis } from './schema.ts';

/** Where a device is, for maps: one row for each device that has a place. Written by server/domain/places/put-places.ts alone. */
interface DevicePlacesTable {
  device_id: number;
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** On the map of schemas/kit/resources/mercator.ts. */
  x: number;
  y: number;
  source: 'user' | 'gps' | 'site';
  /** From when it is there. */
  at: Millis;
}

/** A place where devices are installed. Texts that nobody has entered are empty. */
interface SitesTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  address: string;
  /** Degrees; both or neither. */
  latitude: number | null;
  longitude: number | null;
  contact_name: string;
  contact_phone: string;
  contact_email: string;
  notes: string;
  /** The device that the others at the site are behind. */
  router_id: number | null;
  created_at: Millis;
  updated_at: Millis;
}

interface DeviceSitesTable {
  device_id: number;
  site_id: number;
}

export interface PlaceTables {
  device_places: DevicePlacesTable;
  sites: SitesTable;
  device_sites: DeviceSitesTable;
}
