import { formValues, sectionsOf, settingOf, type ConfigSection, type DeviceSettings } from '../../../schemas/kit/devices/configuration.ts';
import { isMembers } from '../../../schemas/kit/form/form-fields.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';

/** A device with what it was set to when it was read last. */
export interface ConfiguredDevice {
  id: number;
  name: string;
  serial: string | null;
  mac: string | null;
  system: string | null;
  settings: DeviceSettings | null;
  read_at: string | null;
}

export interface ConfigureCall {
  device_id: number[];
  path: string;
  method: 'put' | 'post' | 'delete';
  request_data?: { data: Record<string, JsonValue> };
  /** Names of sections in the order that they are to have. */
  order?: string[];
}

// Options that say what a section is called, in rules, networks and hosts.
const TITLES = ['name', 'ssid', 'description'];

export type Values = Record<string, JsonValue>;

// An empty list is none.
const asKey = (value: JsonValue | undefined): string => JSON.stringify(Array.isArray(value) && value.length === 0 ? null : (value ?? null));

/** The devices that have this section, with their values. */
export function devicesWith(
  devices: readonly ConfiguredDevice[],
  section: ConfigSection,
  item: string,
): { device: ConfiguredDevice; values: Values }[] {
  return devices.flatMap((device) => {
    const found = sectionsOf(device.settings ?? {}, section).find(({ id }) => id === item);
    return found ? [{ device, values: formValues(section, found, device.settings ?? {}) }] : [];
  });
}

/** Names of the sections of a kind that any of the devices has. */
export function itemsOf(devices: readonly ConfiguredDevice[], section: ConfigSection): string[] {
  return [...new Set(devices.flatMap(({ settings }) => sectionsOf(settings ?? {}, section).map(({ id }) => id)))];
}

/** What a section is called on the first device that has it, beside the name that it has in the file. */
export function titleOf(devices: readonly ConfiguredDevice[], section: ConfigSection, item: string): string | undefined {
  for (const { settings } of devices) {
    const options = sectionsOf(settings ?? {}, section).find(({ id }) => id === item)?.options;
    for (const key of TITLES) if (options && typeof options[key] === 'string' && options[key] !== item) return options[key];
  }
  return undefined;
}

/** The calls that put sections in this order, one for the devices that have the same ones of them. */
export function orderCalls(devices: readonly ConfiguredDevice[], section: ConfigSection, order: readonly string[]): ConfigureCall[] {
  const groups = Map.groupBy(devices, ({ settings }) => {
    const own = new Set(sectionsOf(settings ?? {}, section).map(({ id }) => id));
    return JSON.stringify(order.filter((name) => own.has(name)));
  });
  return [...groups].flatMap(([names, group]): ConfigureCall[] => {
    const own: string[] = JSON.parse(names);
    return own.length < 2 ? [] : [{ device_id: group.map(({ id }) => id), path: `/${section.id}/config`, method: 'put', order: own }];
  });
}

/** Whether devices have those of these sections that they have in different orders. */
export function isOrderMixed(devices: readonly ConfiguredDevice[], section: ConfigSection): boolean {
  const all = itemsOf(devices, section);
  return devices.some(({ settings }) => {
    const own = sectionsOf(settings ?? {}, section).map(({ id }) => id);
    return own.join(' ') !== all.filter((name) => own.includes(name)).join(' ');
  });
}

/** Values that all have alike, and the different ones of the options that they do not. */
export function mergeValues(rows: readonly Values[], options: readonly string[]): { common: Values; mixed: Record<string, string[]> } {
  const common: Values = {};
  const mixed: Record<string, string[]> = {};
  for (const option of options) {
    const [first] = rows;
    const value = first?.[option];
    if (rows.every((row) => asKey(row[option]) === asKey(value))) {
      if (value !== undefined) common[option] = value;
    } else mixed[option] = [...new Set(rows.map((row) => plain(row[option])))];
  }
  return { common, mixed };
}

/** A value as people read it. */
export function plain(value: JsonValue | undefined): string {
  if (value === undefined) return '–';
  return [settingOf(value) ?? '–'].flat().join(Array.isArray(value) && value.some(isMembers) ? '; ' : ', ');
}

/** The calls for what was entered: what is for all of the devices at once, then what is for single ones. */
export function callsOf(
  section: ConfigSection,
  item: string,
  { ids, common, data, own }: { ids: number[]; common: Values; data: Values; own: Readonly<Record<number, Values>> },
): ConfigureCall[] {
  const path = `/${section.id}/config/${item}`;
  const changed: Values = {};
  for (const option of Object.keys(section.schema.properties))
    if (asKey(data[option]) !== asKey(common[option])) changed[option] = data[option] ?? null;
  const call = (device_id: number[], values: Values): ConfigureCall[] =>
    Object.keys(values).length === 0 ? [] : [{ device_id, path, method: 'put', request_data: { data: values } }];
  const ownCalls = ids.flatMap((id) => call([id], { ...own[id] }));
  return [...call(ids, changed), ...ownCalls];
}

// What uci takes as the name of a section: `guest_wifi`
const SECTION_NAME = /^[A-Za-z0-9_]{1,32}$/;

/** Whether a new section may be called so. */
export const isSectionName = (text: string): boolean => SECTION_NAME.test(text);

/** The devices that have no section of this name yet. */
export function devicesWithout(
  devices: readonly ConfiguredDevice[],
  { config }: ConfigSection,
  item: string,
): { device: ConfiguredDevice; values: Values }[] {
  return devices.flatMap((device) => ((device.settings?.[config] ?? []).some(({ id }) => id === item) ? [] : [{ device, values: {} }]));
}

/** The calls that add a section: one for the devices that get the same, and one for each that has values of its own. */
export function newSectionCalls(
  section: ConfigSection,
  item: string,
  { ids, data, own }: { ids: number[]; data: Values; own: Readonly<Record<number, Values>> },
): ConfigureCall[] {
  const call = (device_id: number[], values: Values): ConfigureCall => ({
    device_id,
    path: `/${section.id}/config/${item}`,
    method: 'post',
    request_data: { data: values },
  });
  const alike = ids.filter((id) => Object.keys(own[id] ?? {}).length === 0);
  const others = ids.filter((id) => !alike.includes(id)).map((id) => call([id], { ...data, ...own[id] }));
  return [...(alike.length > 0 && Object.keys(data).length > 0 ? [call(alike, data)] : []), ...others];
}
