import type { Text } from '../form/form-types.ts';
import type { JsonSchema } from '../form/types.ts';

/** How a device keeps a list of objects: each entry is a section of its own, in the same file as the section that it belongs to. */
export interface EntryList {
  /** Type of these sections; `{id}` in it is replaced by the name of the section that they belong to. */
  type: string;
  /** The option with the name of the section that they belong to. */
  parent?: string;
  /** The option that tells entries apart. */
  key?: string;
  labels: Record<string, Text>;
  help?: Record<string, Text>;
  secrets: string[];
}

/** Sections of one kind in the settings of a device, `config interface` in `/etc/config/network`, with the form of one. */
export interface ConfigSection {
  /** Also its path: `/network/interfaces/config`. */
  id: string;
  title: Text;
  config: string;
  type: string;
  /** The only section of this kind that is meant; all of the type without one. */
  name?: string;
  /** It makes no difference which of them comes first. */
  isUnordered?: boolean;
  schema: JsonSchema & { properties: Record<string, JsonSchema> };
  labels: Record<string, Text>;
  /** What the document says of options. */
  help?: Record<string, Text>;
  /** Options that are written and never read back. */
  secrets: string[];
  /** Options that are lists of objects. */
  lists?: Record<string, EntryList>;
}

export interface ConfigDocument {
  title: Text;
  sections: ConfigSection[];
}

/** A section as a device has it; a list has several values. An option that is hidden has `***`. */
export interface DeviceSection {
  id: string;
  type: string;
  options: Record<string, string | string[]>;
}
/** By the name of the file in `/etc/config`. */
export type DeviceSettings = Record<string, DeviceSection[]>;
