/** The shapes of the contract's files. Both sides read these. */

import type { ObjectForm, Text } from './form-types.ts';
import type { JsonPrimitive, JsonSchema, JsonValue } from './json-schema.ts';

export * from './form-types.ts';
export * from './json-schema.ts';

/** One record as the API returns it. */
export interface EntityFile {
  $schema: string;
  id: string;
  title: Text;
  schema: JsonSchema & { type: 'object'; properties: Record<string, JsonSchema> };
}

/** An entry of `errors.json`, keyed by code. */
export interface ErrorEntry {
  status: number;
  /** `user`: the message is for people; `developer`: only for the log and API programmers. */
  audience: 'user' | 'developer';
  /** English text with `{param}`; translations are in the locale files under `errors.<CODE>`. */
  message: string;
}

/** An entry of `permissions.json`. */
export interface PermissionEntry {
  name: string;
  category: string;
  title: string;
  description: string;
  roles: BuiltInRole[];
}
export type BuiltInRole = 'super_admin' | 'admin' | 'end_user' | 'support' | 'readonly_admin' | 'read_only';

/** An entry of `lookups.json`, keyed by name: where a choice list comes from. */
export interface LookupEntry {
  path: string;
  value: string;
  label: string;
  /** A second line in the list. */
  detail?: string;
  /** What the keys of its texts begin with, where it is one of a few words. */
  detailTexts?: string;
  /** The member that names an i18n key for the label; the label itself where there is no such text. */
  labelKey?: string;
  /** The console may show an answer of the last five minutes; without it, one of the last ten seconds. */
  seldomChanges?: boolean;
  /** The member with its colour. */
  color?: string;
  /** The form that creates a record that is not in the list, its field that starts with what was searched for, and its permission. */
  create?: { form: string; field: string; permission: string };
  /** Fixed query parameters. */
  params?: Record<string, string>;
}

/** What the server says about one wrong thing. `source` is a field path (`name`, `data.3.name`), or absent for the whole request. */
export interface ErrorItem {
  code: string;
  message: string;
  source?: string;
  params?: Record<string, JsonPrimitive>;
}

export interface AnswerMeta {
  total?: number;
  channel?: string;
  [key: string]: JsonValue | undefined;
}

/** The envelope of every JSON answer. */
export interface Envelope<T = unknown> {
  success: boolean;
  data?: T;
  meta?: AnswerMeta;
  errors?: ErrorItem[];
  /** Beside `errors` where OAuth 2 asks for them. */
  error?: string;
  error_description?: string;
}

/** Which devices a bulk call is for: the ids, or everything that a list query matches, with the count that the user saw. */
export interface SelectionInput {
  device_id?: number[];
  selection?: { query: Record<string, string>; count: number };
}

/** An event's payload: its own schema, or a record of an entity (`partial`: only what changed, always with `id`). */
export type EventPayload = JsonSchema | { entity: string; partial?: boolean };

/** An entry of `events.json`, keyed by the event's name. */
export interface EventEntry {
  /** A channel of the same file. */
  channel: string;
  description: string;
  payload: EventPayload;
}

/** Who may subscribe to a channel; `{name}` stands for a number in the channel's name. */
export interface ChannelEntry {
  permission: string;
  description: string;
}

/** A built-in role of `permissions.json`. `scope`: everything, the own company and below, or the own company only. */
export interface RoleEntry {
  id: number;
  key: BuiltInRole;
  title: string;
  description: string;
  scope: 'all' | 'tree' | 'company';
}

/** An entry of `help.json`: a page below the documentation's address. */
export interface HelpEntry {
  path: string;
}

export interface PermissionsFile {
  $schema: string;
  roles: RoleEntry[];
  permissions: PermissionEntry[];
}
export interface ErrorsFile {
  $schema: string;
  errors: Record<string, ErrorEntry>;
}
export interface LookupsFile {
  $schema: string;
  lookups: Record<string, LookupEntry>;
}
export interface EventsFile {
  $schema: string;
  channels: Record<string, ChannelEntry>;
  events: Record<string, EventEntry>;
}
export interface HelpFile {
  $schema: string;
  help: Record<string, HelpEntry>;
}

/** Every file of the contract, keyed by name. */
export interface Contract {
  entities: Record<string, EntityFile>;
  forms: Record<string, ObjectForm>;
  permissions: PermissionsFile;
  errors: ErrorsFile;
  lookups: LookupsFile;
  events: EventsFile;
  help: HelpFile;
}
