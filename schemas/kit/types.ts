/** The shapes of the contract's files. Both sides read these; they import nothing. */

export type JsonPrimitive = string | number | boolean | null;
export type JsonValue = JsonPrimitive | JsonValue[] | { [key: string]: JsonValue };

/** The part of JSON Schema 2020-12 that the contract uses; `meta/form.meta.json` refuses the rest. */
export interface JsonSchema {
  type?:
    'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null' | ('string' | 'integer' | 'number' | 'boolean' | 'null')[];
  title?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  enum?: JsonPrimitive[];
  const?: JsonPrimitive;
  default?: JsonValue;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minProperties?: number;
  maxProperties?: number;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  if?: JsonSchema;
  then?: JsonSchema;
  else?: JsonSchema;
  not?: JsonSchema;
}

/** A text shown to people: an i18n key, or the text itself by language (`en` required). */
export type Text = string | { en: string; nb?: string; ja?: string; uk?: string };

export type WidgetName =
  'text' | 'number' | 'checkbox' | 'select' | 'radio' | 'lookup' | 'multi-select' | 'textarea' | 'password' | 'color' | 'hidden';

/** How one field looks. Its rules stand in `schema`, never here. */
export interface FieldUi {
  'ui:widget'?: WidgetName;
  'ui:label'?: Text;
  'ui:hint'?: Text;
  'ui:placeholder'?: Text;
  'ui:subtext'?: Text;
  'ui:addon'?: Text;
  'ui:autocomplete'?: string;
  'ui:width'?: 'full' | 'half';
  'ui:autofocus'?: boolean;
  'ui:options'?: {
    /** An entry of `lookups.json`. */
    lookup?: string;
    /** Query parameters for the lookup; `{other_field}` stands for that field's present value. */
    params?: Record<string, string>;
    multiple?: boolean;
    rows?: number;
    /** Texts of enum values: value → text. */
    labels?: Record<string, Text>;
    monospace?: boolean;
  };
}

/** When a field exists and who may see it. */
export interface FieldRule {
  /** The field exists only while each named field holds one of the listed values. Otherwise it is hidden, cleared and not sent, and the server refuses it. */
  depends?: Record<string, JsonPrimitive[]>;
  /** Required while it exists. */
  required?: boolean;
  /** Shown to, and accepted from, holders of this permission only. */
  permission?: string;
}

export interface FormSubmit {
  method: 'POST' | 'PUT' | 'DELETE';
  /** Below `/api`; `{id}` is the record's id. */
  path: string;
  /** `data` sends the form's data as it is; `devices` adds `device_id` or `selection` of the chosen rows (see SelectionInput). */
  payload?: 'data' | 'devices';
  confirm?: Text;
  success: { message?: Text; then?: 'close' | 'back' | 'stay' | 'job'; reload?: string[] };
  errors?: { fields?: Record<string, string>; rest?: 'list' | 'toast' | 'dialog' };
}

/** One form or dialog, its `/forms/<id>` page included, and its server route. */
export interface FormFile {
  $schema: string;
  /** `<room>/<name>`, the same as its path below `schemas/forms/`. */
  id: string;
  title: Text;
  description?: Text;
  surface: 'dialog' | 'page';
  submitLabel?: Text;
  danger?: boolean;
  help?: string;
  /** Who may open and send it; `public` forms say so. */
  permission: string;
  /** Where the data for `/forms/<id>/{record}` and edit dialogs comes from: a GET path with `{id}`. */
  load?: { path: string };
  schema: JsonSchema & { type: 'object'; properties: Record<string, JsonSchema> };
  fields?: Record<string, FieldRule>;
  ui?: Record<string, FieldUi>;
  order?: string[];
  submit: FormSubmit;
  examples: Record<string, JsonValue>[];
}

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
  /** English text with `{param}`; translations stand in the locale files under `errors.<CODE>`. */
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
export type BuiltInRole = 'super_admin' | 'admin' | 'end_user' | 'readonly_admin' | 'read_only';

/** An entry of `lookups.json`, keyed by name: where a choice list comes from. */
export interface LookupEntry {
  path: string;
  value: string;
  label: string;
  /** A second line in the list. */
  detail?: string;
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
  can_invite: BuiltInRole[];
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
  forms: Record<string, FormFile>;
  permissions: PermissionsFile;
  errors: ErrorsFile;
  lookups: LookupsFile;
  events: EventsFile;
  help: HelpFile;
}
