import type { ActionEntry, ColumnEntry, FilterEntry, TabPlace } from '../../../schemas/kit/resources/resource-types.ts';

/**
 * A resource entry as the engine reads it: the same shape as `ResourceEntry`, with the per-entity keys widened to strings,
 * so that one piece of code serves every entity. Each `ResourceEntry` is assignable to it.
 */
export interface Resource {
  readonly name: string;
  readonly path?: string;
  readonly entity: string;
  readonly titleField: string;
  readonly routes: { readonly list?: string; readonly show?: string };
  readonly permission: { readonly list?: string; readonly show?: string };
  readonly menu?: { readonly group: MenuGroupName; readonly order: number; readonly icon: string; readonly of?: string };
  readonly search?: { readonly order: number; readonly fields: readonly string[]; readonly marks?: readonly string[] };
  readonly help?: string;
  readonly isApartFromCompanies?: true;
  /** A GET that streams every record matching the list's filters as CSV. */
  readonly export?: { readonly csv: string };
  readonly table?: {
    readonly defaultSort: { readonly key: string; readonly order: 'asc' | 'desc' };
    readonly columns: readonly ColumnEntry[];
    readonly filters: readonly FilterEntry[];
    readonly strip?: string;
    readonly isSearchable?: true;
    readonly pageSize?: number;
  };
  readonly actions?: readonly ActionEntry[];
  readonly tabOf?: readonly TabPlace[];
  readonly live?: { readonly channel: string; readonly events: Readonly<Record<string, 'patch-row' | 'reload'>> };
  readonly refreshSeconds?: number;
}

export type Resources = readonly Resource[];
export type MenuGroupName = 'management' | 'maintenance' | 'access' | 'administration' | 'system';

/** One record of a list, as the API sends it. */
export interface Row {
  readonly id: number;
  readonly [field: string]: unknown;
}

/** Answers whether the signed-in user holds a permission; `undefined` asks for nothing and is always granted. */
export type Can = (permission: string | undefined) => boolean;

/** The API collection of a resource below `/api`, with its leading slash: `/devices`. */
export function collectionPath(resource: Resource): string {
  return `/${resource.path ?? resource.name}`;
}

/** The name of a record as people know it, or its number when the title is empty. */
export function recordTitle(resource: Resource, row: Row): string {
  const title = row[resource.titleField];
  return typeof title === 'string' && title.trim() !== '' ? title : `#${row.id}`;
}

/** The address of a record's own page, or `undefined` when the resource has none. Route parameters are filled from the record's fields. */
export function recordPath(resource: Resource, row: Row): string | undefined {
  return resource.routes.show?.replace(/:(\w+)/g, (_, field: string) => encodeURIComponent(String(row[field] ?? '')));
}
