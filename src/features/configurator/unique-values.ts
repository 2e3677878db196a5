import { typedValue } from '../../../schemas/kit/devices/configuration-template.ts';
import { plainOptions } from '../../../schemas/kit/devices/entry-lists.ts';
import type { ConfigSection } from '../../../schemas/kit/devices/configuration.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import type { CsvLine } from '../../ui/index.ts';
import { plain, type ConfiguredDevice } from './values.ts';

/** Values of single devices, by the id of the device. */
export type OwnValues = Record<number, Record<string, JsonValue>>;

export interface UniqueFault {
  line: number;
  fault: 'device' | 'device_twice' | 'ambiguous' | 'column' | 'no_device_column';
  name: string;
}

interface ValueRow {
  device: ConfiguredDevice;
  values: Record<string, JsonValue>;
}

const DEVICE_COLUMNS = ['serial', 'mac', 'name'] as const;
type DeviceColumn = (typeof DEVICE_COLUMNS)[number];

const macOf = (text: string): string => text.replace(/[^0-9a-f]/gi, '').toLowerCase();
const sameAs: Record<DeviceColumn, (device: ConfiguredDevice, text: string) => boolean> = {
  serial: ({ serial }, text) => serial === text,
  mac: ({ mac }, text) => mac !== null && macOf(mac) === macOf(text),
  name: ({ name }, text) => name === text,
};

/** The table that `readUniqueValues` reads: a row per device with its present values; those of secrets are empty. */
export function uniqueValuesTable(section: ConfigSection, rows: readonly ValueRow[]): string[][] {
  const options = plainOptions(section);
  const valueOf = (values: ValueRow['values'], option: string): string => (values[option] === undefined ? '' : plain(values[option]));
  return [
    [...DEVICE_COLUMNS, ...options],
    ...rows.map(({ device, values }) => [
      device.serial ?? '',
      device.mac ?? '',
      device.name,
      ...options.map((option) => valueOf(values, option)),
    ]),
  ];
}

function findDevice(devices: readonly ConfiguredDevice[], heads: readonly string[], cells: readonly string[]) {
  for (const column of DEVICE_COLUMNS) {
    const text = cells[heads.indexOf(column)] ?? '';
    if (text === '') continue;
    const found = devices.filter((device) => sameAs[column](device, text));
    return { name: text, device: found[0], isAmbiguous: found.length > 1 };
  }
  return { name: '', device: undefined, isAmbiguous: false };
}

/** Spreadsheets are handed `'=…` so that no cell is run as a formula. */
const withoutMark = (cell: string): string => (/^'[=+\-@]/.test(cell) ? cell.slice(1) : cell);

/**
 * What a CSV file sets on single devices: the first line names the columns, `serial`, `mac` or `name` says which device a line is about (the first of them
 * that is filled in), each other column is an option. Empty cells and values that a device has already change nothing. Lines that cannot be used are in `faults`.
 */
export function readUniqueValues(
  section: ConfigSection,
  rows: readonly ValueRow[],
  [head, ...lines]: readonly CsvLine[],
): { own: OwnValues; faults: UniqueFault[] } {
  const faults: UniqueFault[] = [];
  const own: OwnValues = {};
  const heads = (head?.cells ?? []).map((cell) => cell.toLowerCase());
  const isDeviceColumn = (name: string): boolean => DEVICE_COLUMNS.some((column) => column === name);
  if (!heads.some(isDeviceColumn)) return { own, faults: [{ line: head?.line ?? 1, fault: 'no_device_column', name: '' }] };
  const options = new Map<number, string>();
  for (const [index, name] of heads.entries()) {
    if (name === '' || isDeviceColumn(name)) continue;
    const option = plainOptions(section).find((key) => key.toLowerCase() === name);
    if (option === undefined) faults.push({ line: head?.line ?? 1, fault: 'column', name });
    else options.set(index, option);
  }
  const devices = rows.map(({ device }) => device);
  const present = new Map(rows.map(({ device, values }) => [device.id, values]));
  for (const { line, cells: given } of lines) {
    const cells = given.map(withoutMark);
    const { name, device, isAmbiguous } = findDevice(devices, heads, cells);
    if (isAmbiguous) faults.push({ line, fault: 'ambiguous', name });
    else if (!device) faults.push({ line, fault: 'device', name });
    else if (own[device.id]) faults.push({ line, fault: 'device_twice', name });
    else {
      const filled = [...options].filter(([index, option]) => {
        const cell = cells[index] ?? '';
        const value = present.get(device.id)?.[option];
        return cell !== '' && (value === undefined || plain(value) !== cell);
      });
      own[device.id] = Object.fromEntries(filled.map(([index, option]) => [option, typedValue(section, option, cells[index] ?? '')]));
    }
  }
  return { own, faults };
}

/** The same option for each device, worked out from a pattern: `{name}`, `{serial}`, `{mac}` and `{number}`, which counts from 1. */
export function fillOption(
  section: ConfigSection,
  rows: readonly ValueRow[],
  { option, pattern, own }: { option: string; pattern: string; own: OwnValues },
): OwnValues {
  const filled = { ...own };
  for (const [index, { device }] of rows.entries()) {
    const names: Record<string, string> = {
      name: device.name,
      serial: device.serial ?? '',
      mac: (device.mac ?? '').replaceAll(':', ''),
      number: String(index + 1),
    };
    const text = pattern.replaceAll(/\{(name|serial|mac|number)\}/g, (_all, name: string) => names[name] ?? '');
    filled[device.id] = { ...filled[device.id], [option]: typedValue(section, option, text) };
  }
  return filled;
}
