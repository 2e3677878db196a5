import type { JsonSchema, JsonValue } from '../form/types.ts';
import type { ConfigDocument, ConfigSection, DeviceSection, DeviceSettings, EntryList } from './configuration-types.ts';

/** An entry as a form has it. */
export type Entry = Record<string, JsonValue>;

const OWNER = '{id}';

/** The options of an entry with their schemas. */
export const entryProperties = ({ schema }: ConfigSection, option: string): Record<string, JsonSchema> =>
  (schema.properties[option]?.items as JsonSchema | undefined)?.properties ?? {};

/** The type of the sections that are entries of this one's list. */
export const entryType = ({ type }: EntryList, owner: string): string => type.replace(OWNER, owner);

/** The sections of a device that are the entries of a list, in its order. */
export function entriesOf(settings: DeviceSettings, { config }: ConfigSection, list: EntryList, owner: string): DeviceSection[] {
  const type = entryType(list, owner);
  return (settings[config] ?? []).filter((one) => one.type === type && (list.parent === undefined || one.options[list.parent] === owner));
}

/** Options of a section that are one value each, or a list of texts: all but the lists of objects. */
export const plainOptions = ({ schema, lists = {} }: ConfigSection): string[] =>
  Object.keys(schema.properties).filter((option) => !Object.hasOwn(lists, option));

export const isEntryList = ({ lists = {} }: ConfigSection, option: string): boolean => Object.hasOwn(lists, option);

/** A kind of section that a document knows: what it is called in the file, and which options of it are kept. */
interface SectionKind {
  config: string;
  fits(type: string): boolean;
  properties: Record<string, JsonSchema>;
  secrets: readonly string[];
}

/** All kinds of sections that a document knows, the entries of lists among them. */
export function kindsOf({ sections }: ConfigDocument): SectionKind[] {
  return sections.flatMap((section): SectionKind[] => {
    const { config, type, secrets, schema } = section;
    const own = Object.fromEntries(plainOptions(section).map((option) => [option, schema.properties[option] ?? {}]));
    const lists = Object.entries(section.lists ?? {}).map(([option, list]): SectionKind => {
      const [before = '', after] = list.type.split(OWNER);
      return {
        config,
        fits: (one) => (after === undefined ? one === before : one.startsWith(before) && one.endsWith(after)),
        properties: { ...entryProperties(section, option), ...(list.parent === undefined ? {} : { [list.parent]: { type: 'string' } }) },
        secrets: list.secrets,
      };
    });
    return [{ config, fits: (one) => one === type, properties: own, secrets }, ...lists];
  });
}
