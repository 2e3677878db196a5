import { expect, test } from 'vitest';
import { makeForm } from './test-form.ts';
import { CONTROL_FIELD, uiSchemaOf, type Say } from './ui-schema.ts';

const say: Say = (text) => (typeof text === 'string' ? (text === 'fields.name' ? 'Name' : text) : text.en);

const form = makeForm({
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      camelCase: { type: 'string' },
      titled: { type: 'string', title: 'As the schema says' },
      kind: { type: 'string', enum: ['a', 'b'] },
      tags: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } },
      period: { type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } } },
      address: { type: 'object', properties: { city: { type: 'string' }, zip: { type: 'string' } } },
    },
  },
  ui: {
    name: { 'ui:hint': { en: 'What to enter' }, 'ui:mask': 'AA##', 'ui:width': 'half', 'ui:class': 'monospace', 'ui:autofocus': true },
    kind: { 'ui:widget': 'radio', 'ui:options': { labels: { a: { en: 'First' } } } },
    tags: { 'ui:widget': 'multi-select', 'ui:options': { labels: { y: { en: 'Why' } } } },
    period: { 'ui:widget': 'time-range', 'ui:options': { ahead: true } },
    'address.city': { 'ui:label': { en: 'Town' } },
  },
  order: ['address', 'kind', 'address.zip'],
  sections: [{ title: { en: 'Where' }, fields: ['address'], collapsed: true }],
  sectionsAs: 'tabs',
  alerts: { careful: { type: 'warning', text: { en: 'Careful' } } },
  uiSchema: { name: { 'ui:help': 'Over it', 'ui:emptyValue': '' }, 'ui:globalOptions': { copyable: true } },
});

test('the short form and the file’s own uiSchema become one, in which the latter wins', () => {
  expect(uiSchemaOf(form, say)).toEqual({
    'ui:order': ['address', 'kind', '*'],
    'ui:globalOptions': { copyable: true },
    'ui:options': {
      sections: [{ title: 'Where', fields: ['address'], collapsed: true }],
      sectionsAs: 'tabs',
      alerts: { careful: { type: 'warning', text: 'Careful' } },
    },
    name: {
      'ui:title': 'Name',
      'ui:help': 'Over it',
      'ui:emptyValue': '',
      'ui:autofocus': true,
      'ui:classNames': 'canopy-monospace',
      'ui:options': { path: 'name', mask: 'AA##', width: 'half' },
    },
    camelCase: { 'ui:title': 'camelCase', 'ui:options': { path: 'camelCase' } },
    titled: { 'ui:options': { path: 'titled' } },
    kind: { 'ui:title': 'kind', 'ui:widget': 'radio', 'ui:enumNames': ['First', 'b'], 'ui:options': { path: 'kind' } },
    tags: { 'ui:title': 'tags', 'ui:widget': 'multi-select', items: { 'ui:enumNames': ['x', 'Why'] }, 'ui:options': { path: 'tags' } },
    period: {
      'ui:title': 'period',
      'ui:widget': 'time-range',
      'ui:field': CONTROL_FIELD,
      'ui:options': { ahead: true, path: 'period' },
    },
    address: {
      'ui:title': 'address',
      'ui:order': ['zip', '*'],
      'ui:options': { path: 'address' },
      city: { 'ui:title': 'Town', 'ui:options': { path: 'address.city' } },
      zip: { 'ui:title': 'zip', 'ui:options': { path: 'address.zip' } },
    },
  });
});

test('a form that is no object has the uiSchema of its file', () => {
  expect(uiSchemaOf(makeForm({ schema: { type: 'string' }, uiSchema: { 'ui:widget': 'textarea' } }), say)).toEqual({
    'ui:widget': 'textarea',
  });
});
