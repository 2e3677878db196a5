import type { Generated } from 'kysely';
import type { JsonText, Millis } from './column-types.ts';

export interface DashboardsTable {
  id: Generated<number>;
  company_id: number;
  /** Whose it is alone; null: everybody's in the company. */
  owner_id: number | null;
  kind: 'fleet' | 'device';
  name: string;
  /** What people of the company see first; 1 for one of each kind at most. */
  is_default: number;
  /** `Widget[]` of schemas/kit/resources/dashboards.ts. */
  widgets: JsonText;
  /** Grows with each change, so that two people do not write over each other. */
  version: number;
  user_name: string;
  created_at: Millis;
  updated_at: Millis;
}

/** Pictures behind widgets. */
export interface ImagesTable {
  id: Generated<number>;
  company_id: number;
  /** Who uploaded it; null once they are gone. */
  user_id: number | null;
  user_name: string;
  /** Of the uploaded file. */
  name: string;
  description: string;
  type: 'device_dashboard';
  content_type: 'image/png' | 'image/jpeg';
  /** Bytes of what is kept. */
  size: number;
  /** Pixels of what was uploaded. */
  original_width: number;
  original_height: number;
  /** Base64. */
  bytes: string;
  thumbnail: string;
  created_at: Millis;
  updated_at: Millis;
}
