import { describe, expect, test } from 'vitest';
import { qualityOf } from './form-quality.ts';
import type { FormFile, Text } from '../form/types.ts';

const all = (en: string): Text => ({ en, nb: en, ja: en, uk: en });

const best: FormFile = {
  $schema: '/schemas/form-v1.json',
  id: 'ops/set-apn',
  title: all('Set APN'),
  description: all('For the first modem'),
  surface: 'dialog',
  permission: 'execute_device_actions',
  version: 1,
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      apn: { type: 'string', maxLength: 100, pattern: '^[a-z.]+$' },
      mtu: { type: 'integer', minimum: 576, maximum: 1500 },
      device_id: { type: 'array', items: { type: 'integer' }, maxItems: 10 },
    },
  },
  ui: {
    apn: { 'ui:label': all('APN'), 'ui:hint': all('As your operator spells it') },
    mtu: { 'ui:label': all('MTU') },
    device_id: { 'ui:widget': 'device-select', 'ui:label': all('Devices') },
  },
  submit: { method: 'POST', path: '/x', success: { then: 'job' } },
  examples: [{ apn: 'iot.example' }, { mtu: 1400 }],
};

describe('the quality of a form [G9]', () => {
  test('one that has everything is platinum, and nothing is missing [G9]', () => {
    expect(qualityOf(best)).toEqual({ level: 'platinum', next: null, missing: [] });
  });

  test('each level names what the next one asks for [G9]', () => {
    const { description: _description, ...undescribed } = best;
    expect(qualityOf({ ...undescribed, examples: [{ apn: 'iot.example' }] })).toEqual({
      level: 'bronze',
      next: 'silver',
      missing: ['description', 'examples'],
    });
    expect(qualityOf({ ...best, title: { en: 'Set APN' }, ui: { ...best.ui, apn: { 'ui:label': all('APN') } } })).toEqual({
      level: 'silver',
      next: 'gold',
      missing: ['languages', 'hints'],
    });
    const { version: _version, ...unversioned } = best;
    const properties = { ...best.schema.properties, mtu: { type: 'integer' as const, minimum: 576 } };
    expect(
      qualityOf({ ...unversioned, schema: { ...best.schema, properties }, submit: { ...best.submit, success: { then: 'close' } } }),
    ).toEqual({ level: 'gold', next: 'platinum', missing: ['version', 'success', 'bounds'] });
  });

  test('a better level does not make up for a lower one [G9]', () => {
    expect(qualityOf({ ...best, examples: [{}] }).level).toBe('bronze');
  });
});
