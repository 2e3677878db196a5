import { expect, test } from 'vitest';
import type { FormFile } from './types.ts';
import { withOwnLabels, wordsOfName } from './own-labels.ts';

test.each([
  ['starts_on', 'Starts on'],
  ['startsOn', 'Starts on'],
  ['wan-mode', 'Wan mode'],
  ['APN', 'APN'],
  ['useTLS', 'Use TLS'],
  ['link', 'Link'],
  ['_', '_'],
])('a field called %s is labelled "%s"', (name, words) => {
  expect(wordsOfName(name)).toBe(words);
});

test('fields, columns of tables and members of groups are called by their own names, unless the form says otherwise', () => {
  const form: FormFile = {
    $schema: '/schemas/form-v1.json',
    id: 'ops/shift',
    title: { en: 'Shift' },
    surface: 'dialog',
    permission: 'view_devices',
    schema: {
      type: 'object',
      definitions: { port: { type: 'integer', title: 'Port of the router' } },
      properties: {
        link: { type: 'string' },
        starts_on: { type: 'string', title: 'First day' },
        status: { type: 'string' },
        port: { $ref: '#/definitions/port' },
        address: { type: 'object', properties: { cityName: { type: 'string' } } },
        rows: { type: 'array', items: { type: 'object', properties: { link: { type: 'string' }, mac: { type: 'string', title: 'MAC' } } } },
      },
    },
    ui: { status: { 'ui:label': { en: 'State' }, 'ui:widget': 'text' }, link: { 'ui:width': 'half' } },
    submit: { method: 'POST', path: '/shift', success: { then: 'close' } },
    examples: [],
  };
  const labelled = withOwnLabels(form);
  expect(labelled.ui).toEqual({
    link: { 'ui:width': 'half', 'ui:label': { en: 'Link' } },
    status: { 'ui:label': { en: 'State' }, 'ui:widget': 'text' },
    address: { 'ui:label': { en: 'Address' } },
    'address.cityName': { 'ui:label': { en: 'City name' } },
    rows: { 'ui:label': { en: 'Rows' } },
  });
  expect(labelled.schema.properties?.['rows']).toMatchObject({ items: { properties: { link: { title: 'Link' }, mac: { title: 'MAC' } } } });
});
