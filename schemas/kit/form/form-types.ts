/** The shapes of form files. */

import type { JsonPrimitive, JsonSchema, JsonValue } from './json-schema.ts';

/** A text shown to people: an i18n key, or the text itself by language (`en` required). */
export type Text = string | { en: string; nb?: string; ja?: string; uk?: string };

export type WidgetName =
  | 'text'
  | 'number'
  | 'checkbox'
  | 'select'
  | 'radio'
  | 'lookup'
  | 'multi-select'
  | 'textarea'
  | 'password'
  | 'color'
  | 'date'
  | 'time-range'
  | 'file'
  | 'json'
  | 'list-input'
  | 'table-input'
  | 'device-select'
  | 'permission-matrix'
  | 'rule'
  | 'task-values'
  | 'map-area'
  | 'group'
  | 'hidden';

/** A key that ends an item of a list input. */
export type AddKey = 'Enter' | 'comma' | 'space' | 'semicolon' | 'Tab';

/** Appearance of one field. Its rules are in `schema`, never here. */
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
  /** Shown, and cannot be edited; its value is sent as it is. */
  'ui:disabled'?: boolean;
  /** How typed characters are shaped: `#` digit or space, `*` alphanumeric, `S` letter, `F` hex digit (uppercased), `A` and `a` letter (upper, lower), `!` escape. */
  'ui:mask'?: string;
  /** Offers to make a value: 16 characters from the system's generator. */
  'ui:generate'?: 'password';
  /** A named style, never a class of the page's own. */
  'ui:class'?: 'compact' | 'emphasis' | 'fact' | 'monospace';
  'ui:options'?: {
    /** An entry of `lookups.json`. */
    lookup?: string;
    /** Query parameters for the lookup; `{other_field}` stands for that field's present value. */
    params?: Record<string, string>;
    multiple?: boolean;
    /** Lookup of companies: a new record starts with the company of the user. */
    own?: boolean;
    /** Time range: for what comes, so that the choices at one press begin now. */
    ahead?: boolean;
    rows?: number;
    /** Texts of enum values: value → text. */
    labels?: Record<string, Text>;
    monospace?: boolean;
    /** Textarea: offers to add lines from codes that the camera sees, where the browser can read them. */
    scan?: boolean;
    /** File: what the chooser offers and what is accepted, such as `.json,.csv`. */
    accept?: string;
    /** File: in bytes; 83,886,080 (80 MB) by default. */
    maxBytes?: number;
    /** List input: the keys that add an item; Enter and comma by default. */
    addKeys?: AddKey[];
    /** List input: a repeated item is dropped instead of marked. */
    noDupes?: boolean;
    /** List and table input: offers to read items from a CSV file. */
    showCsvUpload?: boolean;
    /** Device select: offers only devices that support it, a capability such as `wifi`; a device job skips the others. */
    supports?: string;
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
  /** The form's version that brought the field, and a sentence for those who still send it when it will go. */
  since?: number;
  deprecated?: Text;
}

/** A heading with fields and alerts below it. What is in no section comes first. */
export interface FormSection {
  title: Text;
  description?: Text;
  /** Names of fields and of alerts, in the order drawn. */
  fields: string[];
  /** Starts folded; opens by itself when a field in it is wrong. */
  collapsed?: boolean;
}

/** A message in the form. */
export interface FormAlert {
  type: 'info' | 'success' | 'warning' | 'error';
  text: Text;
  depends?: FieldRule['depends'];
  permission?: string;
}

/**
 * What each chosen device is instructed to run. A step is one command: its program and its arguments, each a text in which `{field}` stands for a field of
 * the form and `{device.name}` for a value of the device (`{{` for a brace). Every argument reaches the device's shell quoted, whatever it holds.
 */
export interface DeviceJobTemplate {
  /** Run one after the other; the first that ends with another exit code than `exitCodes` ends the target as failed. */
  steps: string[][];
  /** Seconds for all steps, 1 to 3600; 60 by default. */
  timeout?: number;
  /** `[0]` by default. */
  exitCodes?: number[];
  /** What the commands print is shown every few seconds while they run. */
  live?: boolean;
}

/** The parts of a device that a command template may name, as `{device.<name>}`. */
export const DEVICE_VARIABLES = ['id', 'name', 'serial', 'mac', 'model', 'firmware', 'company_id', 'company_name'] as const;

/** What a file of a form that starts a device job may hold: its text becomes an argument of the command. */
export const JOB_FILE_BYTES = 16 * 1024;
/** What the files of a form that calls a webhook may hold together. */
export const WEBHOOK_FILE_BYTES = 5 * 1024 * 1024;

/** A call to a program elsewhere. Its address and secret are in the server's settings under this name; a form file holds no host name. */
export interface WebhookTarget {
  to: string;
  /** Appended to the address. */
  path?: string;
}

/** Where an added form shows up by itself, beside its page `/forms/<id>`. */
export interface FormPlaces {
  /** An entry of the menu, in this group. */
  menu?: 'management' | 'administration' | 'system';
  /** An action of the devices' rows, or of a selection of devices. */
  devices?: ('row' | 'bulk')[];
  /** An action on a company's page. */
  company?: boolean;
}

export interface FormSubmit {
  method: 'POST' | 'PUT' | 'DELETE';
  /** Below `/api`; `{id}` is the record's id. Forms with `job` or `webhook` write neither method nor path: `completeForm` fills them in. */
  path: string;
  /** Starts a job over the chosen devices instead of calling a route of ours. */
  job?: DeviceJobTemplate;
  webhook?: WebhookTarget;
  /** `multipart` for forms with files: arrays with indexes, `[]` for an empty one. */
  encoding?: 'json' | 'multipart';
  /** `data` sends the form's data as it is; `devices` adds `device_id` or `selection` of the chosen rows (see SelectionInput). */
  payload?: 'data' | 'devices';
  /** It is cheap and can be undone: lists show it before the server has answered, and offer to undo it. */
  undo?: boolean;
  confirm?: Text;
  /** The member of the loaded record (its name) that is typed before it is sent. */
  typed?: string;
  /** Said in place of sending when nothing was changed: at the only field, or beside the form. */
  unchanged?: Text;
  /** `open`: the page of the record that was made, of the first resource in `reload`. `download`: the answer to the POST is a file, which is saved. */
  success: { message?: Text; then?: 'close' | 'back' | 'stay' | 'open' | 'job' | 'download'; reload?: string[] };
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
  /** Forms for the same purpose, this one among them, by id: its window offers to go from one to the other. The text says what each is for. */
  alternatives?: Record<string, Text>;
  /** Who may open and send it: a permission, `signed-in`, or `public`. */
  permission: string;
  /** Where the data for `/forms/<id>/{record}` and edit dialogs comes from: a GET path with `{id}`. */
  load?: { path: string };
  /** Mostly an object's; what another value is sent as is that value. */
  schema: JsonSchema;
  fields?: Record<string, FieldRule>;
  ui?: Record<string, FieldUi>;
  /** As react-jsonschema-form documents it; over what `ui`, `order` and `sections` say. */
  uiSchema?: Record<string, JsonValue>;
  order?: string[];
  sections?: FormSection[];
  /** `tabs`: one section at a time, chosen by its title. */
  sectionsAs?: 'headings' | 'tabs';
  /** Messages, by a name that `order` and `sections` place among the fields. */
  alerts?: Record<string, FormAlert>;
  place?: FormPlaces;
  /** Counts up with each change that integrators should know of. */
  version?: number;
  /** Takes the place of the form of the same id that ships. Without it such a file is refused. */
  replaces?: boolean;
  submit: FormSubmit;
  examples: JsonValue[];
}

/** A form of which the whole is an object, as each form that ships is. */
export type ObjectForm = Omit<FormFile, 'schema' | 'examples'> & {
  schema: JsonSchema & { type: 'object'; properties: Record<string, JsonSchema> };
  examples: Record<string, JsonValue>[];
};
