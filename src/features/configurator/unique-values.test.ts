import { expect, test } from 'vitest';
import type { ConfigSection } from '../../../schemas/kit/devices/configuration.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import { fillOption, readUniqueValues, uniqueValuesTable } from './unique-values.ts';
import type { ConfiguredDevice } from './values.ts';

const section: ConfigSection = {
  id: 'wireless/interfaces',
  title: 'Wi-Fi',
  config: 'wireless',
  type: 'wifi-iface',
  schema: { type: 'object', properties: { ssid: { type: 'string' }, key: { type: 'string' }, disabled: { type: 'boolean' } } },
  labels: {},
  secrets: ['key'],
};
const device = (id: number, name: string, mac: string | null = null): ConfiguredDevice => ({
  id,
  name,
  serial: `100${id}`,
  mac,
  system: 'rutos',
  settings: null,
  read_at: null,
});
const rows: { device: ConfiguredDevice; values: Record<string, JsonValue> }[] = [
  { device: device(1, 'ferry', '00:1E:42:00:00:01'), values: { ssid: 'old', disabled: false } },
  { device: device(2, 'quay'), values: { ssid: 'harbour' } },
  { device: device(3, 'quay'), values: {} },
];
const read = (...table: string[][]) =>
  readUniqueValues(
    section,
    rows,
    table.map((cells, index) => ({ line: index + 1, cells })),
  );

test('each line sets the values of its device, found by serial number, MAC address or name', () => {
  const { own, faults } = read(
    ['SSID', 'serial', 'MAC', 'name', 'key'],
    ['pier', '', '001e42000001', '', 'key-one'],
    ['harbour', '1002', '', 'whatever', "'=key-two"],
  );
  expect(faults).toEqual([]);
  expect(own).toEqual({ 1: { ssid: 'pier', key: 'key-one' }, 2: { key: '=key-two' } });
});

test('lines that cannot be used are named, and the others count', () => {
  const { own, faults } = read(
    ['name', 'ssid', 'colour'],
    ['ferry', 'pier', 'red'],
    ['nobody', 'x', ''],
    ['quay', 'x', ''],
    ['ferry', 'again', ''],
  );
  expect(own).toEqual({ 1: { ssid: 'pier' } });
  expect(faults).toEqual([
    { line: 1, fault: 'column', name: 'colour' },
    { line: 3, fault: 'device', name: 'nobody' },
    { line: 4, fault: 'ambiguous', name: 'quay' },
    { line: 5, fault: 'device_twice', name: 'ferry' },
  ]);
  expect(read(['ssid'], ['pier']).faults).toEqual([{ line: 1, fault: 'no_device_column', name: '' }]);
});

test('the table of present values read back changes nothing', () => {
  const table = uniqueValuesTable(section, rows);
  expect(table[1]).toEqual(['1001', '00:1E:42:00:00:01', 'ferry', 'old', '', '0']);
  expect(read(...table)).toEqual({ own: { 1: {}, 2: {}, 3: {} }, faults: [] });
});

test('a pattern fills an option for each device', () => {
  const own = fillOption(section, rows.slice(0, 2), { option: 'ssid', pattern: '{name}-{number} {serial}', own: { 1: { key: 'kept' } } });
  expect(own).toEqual({ 1: { key: 'kept', ssid: 'ferry-1 1001' }, 2: { ssid: 'quay-2 1002' } });
});
