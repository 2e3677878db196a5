import { describe, expect, test } from 'vitest';
import { exportOf, importedFrom } from './exchange.ts';

const rule = [
  {
    type: 'if',
    expression: [{ parameter: 'signal', operator: '<', value: '-100', times: 3, of: 5, joins_with: '&&' }],
    actions: [{ name: 'RunForm', options: { form: 'devices/network-tools', form_data: { tool: 'neighbours' } } }],
    conditions: [{ type: 'else', actions: [{ name: 'AddTag', options: { tag_id: 7 } }] }],
  },
] as const;
const automation = {
  ...{ id: 12, company_id: 3, user_name: 'Ada', enabled: true, version: 4, name: 'Weak signal', description: 'At sea' },
  ...{ delay_duration: 60, delay_repetitions_count: 2, cooldown_duration: 0, period: 'day', period_trigger_limit: 5 },
  conditions_body: rule,
};

describe('an exported automation', () => {
  test('is imported with its rule and settings as they were, turned off, and nothing of its company', () => {
    const text = JSON.stringify(exportOf(automation as never), null, 2);
    const { id: _id, company_id: _company, user_name: _user, version: _version, ...kept } = automation;
    expect(importedFrom(text)).toEqual({ values: { ...kept, enabled: false } });
  });

  test.each([
    ['ends in the middle', '{\n  "name": "Weak",\n  "conditions_body": [', { key: 'validation.json.at', params: { line: 3, column: 23 } }],
    ['has a comma too much', '{ "name": "Weak", }', { key: 'validation.json.at', params: { line: 1, column: 19 } }],
    ['is empty', '', { key: 'automations.import.no_rule', params: {} }],
    ['is a list', '[]', { key: 'automations.import.no_rule', params: {} }],
    ['is of something else', '{ "name": "Weak" }', { key: 'automations.import.no_rule', params: {} }],
    ['is too large', ' '.repeat(500_001), { key: 'automations.import.too_long', params: {} }],
  ])('that %s says what is wrong and where', (_what, text, fault) => {
    expect(importedFrom(text)).toEqual({ fault });
  });
});
