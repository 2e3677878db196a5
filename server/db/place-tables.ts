import type { Generated } from 'kysely';
import type { JsonText, Millis } from './column-types.ts';

/** Where a device is, for maps: one row for each device that has a place. Written by server/domain/places/put-places.ts alone. */
interface DevicePlacesTable {
  device_id: number;
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** On the map of schemas/kit/resources/mercator.ts. */
  x: number;
  y: number;
  source: 'user' | 'gps' | 'site' | 'cell';
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
  /** The image of its floor. */
  plan_image_id: Generated<number | null>;
  /** `PlanSpot[]` of schemas/kit/devices/floor-plan.ts. */
  plan_spots: Generated<JsonText>;
  created_at: Millis;
  updated_at: Millis;
}

interface DeviceSitesTable {
  device_id: number;
  site_id: number;
}

/** A host that was seen in the network of a device. Written when it comes, goes or changes. */
interface DeviceHostsTable {
  device_id: number;
  mac: string;
  ip: string | null;
  name: string | null;
  /** The port or the Wi-Fi interface that it was last seen at. */
  port: string | null;
  /** null: it was there when the device reported for the first time. */
  first_seen_at: Millis | null;
  /** null while it is there. */
  gone_at: Millis | null;
  /** When its address or port changed last, and what they were before that. */
  changed_at: Millis | null;
  former_ip: string | null;
  former_port: string | null;
}

export interface PlaceTables {
  device_hosts: DeviceHostsTable;
  device_places: DevicePlacesTable;
  sites: SitesTable;
  device_sites: DeviceSitesTable;
}
