import { beforeAll, expect, test } from 'vitest';
import { loadTexts, startI18n } from '../../kernel/i18n/index.ts';
import { valueFaults } from './template-edits.ts';

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
