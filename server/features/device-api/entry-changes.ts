import {
  HIDDEN,
  settingOf,
  textOfEntry,
  type ConfigSection,
  type DeviceSection,
  type DeviceSettings,
} from '../../../schemas/kit/devices/configuration.ts';
import { entriesOf, entryProperties, entryType, type Entry } from '../../../schemas/kit/devices/entry-lists.ts';
import type { EntryList } from '../../../schemas/kit/devices/configuration-types.ts';

/** uci puts what is beyond the last place at the end. */
const AT_THE_END = 9999;

type Setting = string | string[] | undefined;
const same = (one: Setting, other: Setting): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** The lines of a command that give an option this value. */
export function linesFor(path: string, value: Setting): string[] {
  if (value === undefined) return [`delete ${path}`];
  return Array.isArray(value) ? [`delete ${path}`, ...value.map((one) => `add_list ${path}=${one}`)] : [`set ${path}=${value}`];
}

/** Lines that put sections, which lie in the order `present`, into the order `wanted`. */
export function orderLines(config: string, present: readonly string[], wanted: readonly string[]): string[] {
  const from = wanted.findIndex((name, index) => name !== present[index]);
  // Sections of kinds that no document describes may lie between them, so their numbers are unknown: each goes to the end in turn.
  return from === -1 ? [] : wanted.slice(from).map((name) => `reorder ${config}.${name}=${AT_THE_END}`);
}

interface ListContext {
  section: ConfigSection;
  /** The option that is the list. */
  option: string;
  list: EntryList;
  /** The section that the entries belong to. */
  item: string;
  settings: DeviceSettings;
  /** Names of sections in the file; those of new entries are added to it. */
  taken: Set<string>;
}

/** Which section each entry is: by its key, else by what is in it, else by its place where nothing secret could get to another entry. */
function matched(
  { list }: ListContext,
  wanted: readonly Entry[],
  present: readonly DeviceSection[],
  options: readonly string[],
): (DeviceSection | undefined)[] {
  const free = new Set(present);
  const take = (fits: (one: DeviceSection) => boolean): DeviceSection | undefined => {
    const found = [...free].find(fits);
    if (found) free.delete(found);
    return found;
  };
  const { key, secrets } = list;
  const open = options.filter((option) => !secrets.includes(option));
  const found = wanted.map((entry) => {
    const own = key === undefined ? undefined : settingOf(entry[key] ?? null);
    return key === undefined || own === undefined ? undefined : take((one) => same(one.options[key], own));
  });
  const isLike = (entry: Entry) => (one: DeviceSection) =>
    open.every((option) => same(one.options[option], settingOf(entry[option] ?? null)));
  for (const [index, entry] of wanted.entries()) found[index] ??= take(isLike(entry));
  if (secrets.length === 0 && key === undefined) for (const index of wanted.keys()) found[index] ??= take(() => true);
  return found;
}

function freshName({ item, option, taken }: ListContext): string {
  for (let number = 1; ; number += 1) {
    const name = `${item}_${option}_${number}`.replaceAll('-', '_');
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

const textsOf = (entries: readonly Record<string, string | string[]>[]): string[] | null =>
  entries.length > 0 ? entries.map(textOfEntry) : null;

/** What makes the entries of a list those that are wanted: lines of a command, and what differs. Without lines nothing does. */
export function planEntries(
  place: ListContext,
  wanted: readonly Entry[],
): { lines: string[]; before: string[] | null; after: string[] | null } {
  const { section, option, list, item, settings } = place;
  const { config } = section;
  const options = Object.keys(entryProperties(section, option));
  const present = entriesOf(settings, section, list, item);
  const found = matched(place, wanted, present, options);
  const lines = present.filter((one) => !found.includes(one)).map(({ id }) => `delete ${config}.${id}`);
  const after: Record<string, string | string[]>[] = [];
  const ids = wanted.map((entry, index) => {
    const known = found[index];
    const id = known?.id ?? freshName(place);
    if (!known) {
      lines.push(`set ${config}.${id}=${entryType(list, item)}`);
      if (list.parent !== undefined) lines.push(`set ${config}.${id}.${list.parent}=${item}`);
    }
    const shown: Record<string, string | string[]> = {};
    for (const name of options) {
      const value = settingOf(entry[name] ?? null);
      const before = known?.options[name];
      const isSecret = list.secrets.includes(name);
      const isKept = isSecret && (value === undefined || value === HIDDEN);
      if (!isKept && (isSecret || !same(before, value))) lines.push(...linesFor(`${config}.${id}.${name}`, value));
      const present = isSecret && (before ?? value) !== undefined ? HIDDEN : value;
      if (present !== undefined) shown[name] = present;
    }
    after.push(shown);
    return id;
  });
  const lying = [...present.filter((one) => found.includes(one)).map(({ id }) => id), ...ids.filter((_id, index) => !found[index])];
  lines.push(...orderLines(config, lying, ids));
  const before = present.map((one) =>
    Object.fromEntries(options.flatMap((name) => (one.options[name] === undefined ? [] : [[name, one.options[name]]]))),
  );
  return { lines, before: textsOf(before), after: textsOf(after) };
}
