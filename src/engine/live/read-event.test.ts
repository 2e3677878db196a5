import { expect, test } from 'vitest';
import { readLiveEvent } from './read-event.ts';

test.each([
  ['one record', { id: 4, status: 1 }],
  ['an array of records', [{ id: 4, status: 1 }]],
  ['an object with an array of records', { devices: [{ id: 4, status: 1 }] }],
])('changed fields are read from %s', (_, payload) => {
  expect(readLiveEvent('DeviceChanged', 'patch-row', payload)).toEqual({ changed: [{ id: 4, status: 1 }] });
});

test('a change that only names the record, or that the entry wants reloaded, asks for a reload', () => {
  expect(readLiveEvent('CompanyChanged', 'patch-row', { ids: [1, 2] })).toBe('reload');
  expect(readLiveEvent('CompanyChanged', 'reload', { id: 1, name: 'x' })).toBe('reload');
});

test('new and removed records are distinguished by the event name', () => {
  expect(readLiveEvent('DeviceAdded', 'reload', { devices: [{ id: 9, name: 'n' }] })).toEqual({ added: [{ id: 9, name: 'n' }] });
  expect(readLiveEvent('DeviceRemoved', 'reload', { ids: [3, 4] })).toEqual({ removed: [3, 4] });
  expect(readLiveEvent('DeviceRemoved', 'reload', { id: 3, company_id: 1 })).toEqual({ removed: [3] });
});

test.each([[undefined], [null], ['x'], [{ id: 'x' }], [[null, {}]]])('a payload that makes no sense (%j) asks for a reload', (payload) => {
  expect(readLiveEvent('DeviceChanged', 'patch-row', payload)).toBe('reload');
  expect(readLiveEvent('DeviceAdded', 'reload', payload)).toBe('reload');
});
