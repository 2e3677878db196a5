import { expect, test } from 'vitest';
import { slicesOf } from './counted-bars.ts';

const t = (key: string): string => key;
const shown = (source: string, counts: Record<string, number>) =>
  slicesOf(t, source, counts).map(({ label, value, share }) => [label, value, share]);

test('the slices of a pie add up to every device: what has no slice of its own is among the others', () => {
  const counts = Object.fromEntries(Array.from({ length: 20 }, (_none, index) => [`RUT${index}`, 5]));
  const slices = shown('model', counts);
  expect(slices).toHaveLength(6);
  expect(slices.at(-1)).toEqual(['dashboards.others', 75, 75]);
  expect(slices.reduce((total, [, value]) => total + Number(value), 0)).toBe(100);
});

test('few slices are shown as they are, most first, and no devices make none', () => {
  expect(shown('status', { '0': 1, '1': 3 })).toEqual([
    ['devices.status.online', 3, 75],
    ['devices.status.offline', 1, 25],
  ]);
  expect(shown('model', {})).toEqual([]);
});

test('values that have words are called by them, and what devices do not say is unknown', () => {
  const names = (source: string, counts: Record<string, number>) => shown(source, counts).map(([name]) => name);
  expect(names('signal', { excellent: 2, no_signal: 1 })).toEqual(['devices.signal.excellent', 'devices.signal.no_signal']);
  expect(names('connection_type', { '4g': 2, unknown: 1 })).toEqual(['devices.connection.4g', 'devices.connection.unknown']);
  expect(names('operator', { 'Telia N': 2, unknown: 1 })).toEqual(['Telia N', 'statistics.notKnown']);
});
