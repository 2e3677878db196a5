import { beforeAll, expect, test } from 'vitest';
import { loadTexts, startI18n } from '../../kernel/i18n/index.ts';
import type { ConfigDocument } from '../../../schemas/kit/devices/configuration.ts';
import type { TemplateCall } from '../../../schemas/kit/devices/configuration-template.ts';
import { callsOfEdits, editedCalls, valueFaults } from './template-edits.ts';

beforeAll(async () => {
  await startI18n('en');
  await loadTexts('errors');
});

test('what the server says of a value of a template is known by its section and option, and everything else is not', () => {
  const items = [
    { code: 'INVALID_FIELD', source: 'template.1.request_data.data.mtu', message: '', params: { key: 'validation.type.integer' } },
    { code: 'INVALID_FIELD', source: 'template.0.request_data.data.dns.0', message: '', params: { key: 'validation.required' } },
    { code: 'INVALID_FIELD', source: 'version', message: 'Fill in this field.' },
  ];
  expect(valueFaults(items)).toEqual([
    { index: 1, option: 'mtu', message: 'Enter a whole number.' },
    { index: 0, option: 'dns', message: 'Fill in this field.' },
  ]);
});

test('what the editor cannot show is saved as it is: removals, searches by several values, and sections that the document lost', () => {
  const sectionOf = (id: string, option: string) => ({
    ...{ id, title: { en: id }, config: id, type: id, labels: {}, secrets: [] },
    schema: { type: 'object' as const, properties: { [option]: { type: 'string' as const } } },
  });
  const document = {
    sections: [sectionOf('network/interface', 'proto'), sectionOf('wireless/wifi-iface', 'disabled')],
  } as unknown as ConfigDocument;
  const elements = [
    { key: 'ssid', value: 'Guest' },
    { key: 'mode', value: 'ap' },
  ];
  const calls: TemplateCall[] = [
    { method: 'put', path: '/network/interface/config/lan', request_data: { data: { proto: 'static' } } },
    { method: 'delete', path: '/network/interface/config/guest' },
    {
      method: 'put',
      path: '/wireless/wifi-iface/config/{id}',
      search_elements: [{ search_key: 'id', path: '/wireless/wifi-iface/config', elements }],
      request_data: { data: { disabled: '1' } },
    },
    { method: 'put', path: '/no/longer/config/there', request_data: { data: { on: '1' } } },
  ];
  const edited = editedCalls(document, calls);
  expect(edited.map((one) => ('kept' in one ? one.isKnown : one.item))).toEqual(['lan', true, true, false]);
  expect(callsOfEdits(edited)).toEqual(calls);
});
