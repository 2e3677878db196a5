import type { Generated } from 'kysely';
import type { JsonText, Millis } from './column-types.ts';

/** A saved view of a list. */
export interface ViewsTable {
  id: Generated<number>;
  /** Name of an entry in `resources/`. */
  resource: string;
  name: string;
  /** `everyone`: those of the company and of all below it. */
  share: 'private' | 'company' | 'everyone';
  /** Null: of every company of the installation, shared by a system administrator. */
  company_id: number | null;
  /** Whose it is alone; null when it is shared. */
  owner_id: number | null;
  /** Null when that person was removed. */
  created_by: number | null;
  user_name: string;
  /** The list's address after the `?`, without page and view. */
  query: string;
  columns: JsonText | null;
  created_at: Millis;
  updated_at: Millis;
}

/** The roles for which lists open with a view. */
export interface ViewRolesTable {
  view_id: number;
  role_id: number;
}
