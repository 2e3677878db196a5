import type { DeviceFeature } from '../devices/device-capabilities.ts';
import type { Text } from '../form/types.ts';
import type { EntityFields, EntityName, EventName, FormId, HelpKey, LookupName, PermissionName } from '../../_generated/contract.ts';

/** Where an action is offered. */
export type ActionPlace = 'header' | 'row' | 'bulk' | 'page';

/** The id of a form that was added to an installation; the list of resources cannot name one. */
export type AddedFormId = string & { readonly isAdded: true };

/** Holds of records whose field has one of these values. */
export interface RecordRule<F extends string = string> {
  field: F;
  in: (string | number | boolean | null)[];
}

interface ActionBase<F extends string> {
  /** `<resource>.<verb>`; also its i18n key: `actions.<id>`. */
  id: string;
  /** Its text, instead of `actions.<id>`: of added forms. */
  title?: Text;
  on: ActionPlace[];
  icon?: string;
  permission?: PermissionName;
  danger?: boolean;
  /** The one filled button of the page. */
  primary?: boolean;
  /** Seldom wanted: in the menu at the head of a list, not a button beside it. */
  isSeldom?: boolean;
  /** Applies to rows whose field holds one of these values; others are distinguished in the bulk bar ("3 of 12 …"). */
  when?: RecordRule<F>;
  /** Applies to devices that can do this, by their model and firmware; why not: `actions.<id>.rule`. */
  feature?: DeviceFeature;
}
export type ActionEntry<F extends string = string> =
  /** Opens a form; `initial` is what it starts with where it is for no record. */
  | (ActionBase<F> & { kind: 'form'; form: FormId | AddedFormId; initial?: Readonly<Record<string, string | number | boolean>> })
  /** Opens the job dialog: preview, confirmation by risk, progress. `job` is a job kind known to the server. */
  | (ActionBase<F> & { kind: 'job'; job: string; form?: FormId | AddedFormId; risk: 'low' | 'disruptive' | 'destructive' })
  /** Goes to another page of the console; `{field}` in its address stands for that field of the record. */
  | (ActionBase<F> & { kind: 'link'; to: string })
  /** Code of a room, registered by name. */
  | (ActionBase<F> & { kind: 'code'; run: string });

export interface ColumnEntry<F extends string = string> {
  key: F;
  /** Its name, where it is a name that people gave; the text of its key without one. */
  title?: string;
  /** A registered cell; plain text without one. */
  cell?: string;
  /** For the cell `state`: how each value is marked; grey without. */
  marks?: Readonly<Record<string, 'good' | 'bad' | 'warn' | 'info'>>;
  sortable?: boolean;
  /** Hidden until chosen in the column chooser. */
  optional?: boolean;
  permission?: PermissionName;
  /** Its cell reads it by a call of its own: no field of the list, and in no file. */
  isDrawn?: boolean;
  /** Pixels; the rest is shared by the columns without one. */
  width?: number;
  /** How much of the room that is left it takes beside other columns without a width: 1 by default, 1.4 for the primary one. */
  share?: number;
  align?: 'start' | 'end';
  /** Of a date: while the rows are in its order, each day has a heading. */
  headsDays?: true;
  /** Is next to the name on a narrow screen; the first two columns do where no column says so. */
  narrow?: true;
  /** The row's name: a link to its page, a row header for screen readers. */
  primary?: boolean;
}

export type FilterEntry<F extends string = string> = {
  /** Its name, where it is a name that people gave; the text of its key without one. */
  title?: string;
} &
  /** `permission`: who may use it; everybody who may list without one. */
  (
    | { key: F; kind: 'enum'; values: (string | number)[]; negatable?: boolean; permission?: PermissionName }
    | { key: F; kind: 'lookup'; lookup: LookupName; negatable?: boolean; multiple?: boolean }
    | { key: F; kind: 'text'; negatable?: boolean }
    /** A day, `YYYY-MM-DD`. */
    | { key: F; kind: 'date' }
    | { key: F; kind: 'boolean' }
  );

export interface ResourceEntryFor<E extends EntityName> {
  /** The API collection: `/api/<path or name>`. */
  name: string;
  path?: string;
  entity: E;
  /** The field that names a record to people. */
  titleField: EntityFields[E];
  routes: { list?: string; show?: string };
  /** Without `list`: everybody who is signed in. */
  permission: { list?: PermissionName; show?: PermissionName };
  /** `of`: lists that share one entry of the menu, named `menu.of.<of>`, and stand side by side as tabs, by their order. */
  menu?: {
    group: 'management' | 'maintenance' | 'access' | 'administration' | 'system';
    order: number;
    icon: string;
    of?: 'alerts' | 'jobs' | 'files' | 'remote' | 'people' | 'programs' | 'mail' | 'reports' | 'configuration' | 'wireless';
  };
  /** `marks`: what a hit shows beside its name, each as the column of that key does; `color` is a swatch. */
  search?: { order: number; fields: EntityFields[E][]; marks?: EntityFields[E][] };
  help?: HelpKey;
  /** Its records are not those of the own company and below (they are the installation's, one's own, or days): the head of its list names no company. */
  isApartFromCompanies?: true;
  table?: {
    defaultSort: { key: EntityFields[E]; order: 'asc' | 'desc' };
    columns: ColumnEntry<EntityFields[E]>[];
    filters: FilterEntry<EntityFields[E] | FilterOnly[E]>[];
    /** A registered strip above the table whose parts are filters. */
    strip?: string;
    /** Its list can be searched, though the search of everything does not ask for it. */
    isSearchable?: true;
    pageSize?: number;
  };
  /** A GET below `/api` that streams every record matching the list's filters as CSV. */
  export?: { csv: string };
  actions?: ActionEntry<EntityFields[E]>[];
  /** The list, narrowed down to one record of another resource by a filter, is a tab of that record's page (`/companies/7/<path>`), or several. */
  tabOf?: TabPlace<EntityFields[E] | FilterOnly[E]>[];
  live?: { channel: string; events: Partial<Record<EventName, 'patch-row' | 'reload'>> };
  /** Of a list without `live` whose records change by themselves: it loads again every so many seconds until its reader chooses otherwise. */
  refreshSeconds?: 10 | 30 | 60;
}

/** Where a list is a tab; with `when`, of such records alone. */
export interface TabPlace<F extends string = string> {
  resource: string;
  filter: F;
  /** The field of new records that gets the number of the page's record, where it has another name than the filter. */
  fills?: string;
  path: string;
  order: number;
  when?: RecordRule;
}

/** Filter keys that are not fields of the entity's record. */
interface FilterKeysBeyondFields {
  notification: 'is_seen';
  user: 'status';
  device: 'tag_id' | 'model_series' | 'information_updated' | 'monitoring_status' | 'task' | 'firmware_state' | 'signal_level' | 'area';
  role: 'type';
  tag: 'used_in';
  tag_run: 'tag_id';
  automation: 'device_id';
  job: 'device_id';
  credit_entry: 'start_date' | 'end_date';
  credit_holding: 'parent_id';
  data_purchase: 'start_date' | 'end_date';
  online_statistic: 'start_date' | 'end_date';
  day_statistic: 'company_id';
  month_statistic: 'company_id';
  connection_entry: 'start_date' | 'end_date';
  action_entry: 'start_date' | 'end_date';
  remote_entry: 'tag_id';
  remote_session: 'start_date' | 'end_date';
}

/** Filter keys beyond the record's fields, by entity; none where an entity is not named above. */
export type FilterOnly = { [E in EntityName]: E extends keyof FilterKeysBeyondFields ? FilterKeysBeyondFields[E] : never };

/** One union member per entity, so that each key is typed against its own entity. */
export type ResourceEntry = { [E in EntityName]: ResourceEntryFor<E> }[EntityName];

/** Helper for actions that are in a file of their own: checks them against their entity and keeps the literal types. */
export function defineActions<E extends EntityName>() {
  return <const A extends ActionEntry<EntityFields[E]>[]>(actions: A): A => actions;
}

/** Helper for the files of `resources/`: checks every entry against its entity and keeps the literal types. */
export function defineResources<const R extends readonly ResourceEntry[]>(entries: R): R {
  return entries;
}

export type { Text };
