import { isMembers } from '../form/form-fields.ts';
import type { JsonSchema, JsonValue } from '../form/types.ts';
import type { ConfigSection, DeviceSection, DeviceSettings } from './configuration-types.ts';
import { entriesOf, entryProperties, type Entry } from './entry-lists.ts';

export type { ConfigDocument, ConfigSection, DeviceSection, DeviceSettings } from './configuration-types.ts';

export const HIDDEN = '***';

/** The sections of a device that a section of the document is about. */
export function sectionsOf(settings: DeviceSettings, { config, type, name }: ConfigSection): DeviceSection[] {
  return (settings[config] ?? []).filter((one) => one.type === type && (name === undefined || one.id === name));
}

function typeOf({ type }: JsonSchema): string {
  return (Array.isArray(type) ? type.find((one) => one !== 'null') : type) ?? 'string';
}

function valueOf(schema: JsonSchema, given: string | string[]): JsonValue {
  const type = typeOf(schema);
  if (type === 'array') return Array.isArray(given) ? given : given.split(' ').filter((part) => part !== '');
  const text = Array.isArray(given) ? given.join(' ') : given;
  if (type === 'boolean') return ['1', 'yes', 'on', 'true', 'enabled'].includes(text);
  if (type !== 'integer' && type !== 'number') return text;
  const number = Number(text);
  return text === '' || Number.isNaN(number) ? text : number;
}

function openValues(
  properties: Record<string, JsonSchema>,
  secrets: readonly string[],
  { options }: DeviceSection,
): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, property]) => {
      const given = Object.hasOwn(options, key) ? options[key] : undefined;
      return given === undefined || secrets.includes(key) ? [] : [[key, valueOf(property, given)]];
    }),
  );
}

/** The values of a device's section as its form takes them, lists of objects from the sections that are their entries; secrets are left out. */
export function formValues(section: ConfigSection, found: DeviceSection, settings: DeviceSettings): Record<string, JsonValue> {
  const values = openValues(section.schema.properties, section.secrets, found);
  for (const [option, list] of Object.entries(section.lists ?? {})) {
    delete values[option];
    const properties = entryProperties(section, option);
    const entries = entriesOf(settings, section, list, found.id).map((one): Entry => openValues(properties, list.secrets, one));
    if (entries.length > 0) values[option] = entries;
  }
  return values;
}

/** An object of a list as people read it: `vlan: 10, name: guests`. */
export const textOfEntry = (entry: Readonly<Record<string, JsonValue>>): string =>
  Object.entries(entry)
    .flatMap(([key, value]) => {
      const text = settingOf(value);
      return text === undefined ? [] : [`${key}: ${[text].flat().join(' ')}`];
    })
    .join(', ');

/** A value of a form as the device keeps it; an empty one is no value. */
export function settingOf(value: JsonValue): string | string[] | undefined {
  if (value === null || value === '') return undefined;
  if (Array.isArray(value))
    return value.length === 0 ? undefined : value.map((one) => (isMembers(one) ? textOfEntry(one as Entry) : String(one)));
  if (typeof value === 'boolean') return value ? '1' : '0';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
