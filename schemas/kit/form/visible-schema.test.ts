import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyData, anyForm, anyRights } from './arbitrary-form.ts';
import { compileBody } from './compile-body.ts';
import { enforcedSchema } from './enforced-schema.ts';
import { exampleForm } from './example-form.ts';
import { valueAt, withValueAt } from './form-fields.ts';
import type { FormFile, JsonSchema, JsonValue } from './types.ts';
import { visibleSchema } from './visible-schema.ts';

/** Every path of the data, groups before their members. */
function pathsOf(data: Record<string, JsonValue>, parent = ''): string[] {
  return Object.entries(data).flatMap(([name, value]) => [
    parent + name,
    ...(typeof value === 'object' && value !== null && !Array.isArray(value) ? pathsOf(value, `${parent}${name}.`) : []),
  ]);
}

describe('what the console draws of a form', () => {
  test('whatever is drawn is judged alike by what is drawn and by what the server enforces', () => {
    fc.assert(
      fc.property(anyForm, anyData, anyRights, (form, data, can) => {
        const visible = visibleSchema(form, data, can);
        const drawn = compileBody(visible.schema)(visible.data).map(({ source }) => source);
        const enforced = compileBody(enforcedSchema(form, can))(visible.data).map(({ source }) => source);
        expect(enforced.toSorted()).toEqual(drawn.toSorted());
      }),
      { numRuns: 300 },
    );
  });

  test('the server refuses every value that the console has cleared [IN10]', () => {
    fc.assert(
      fc.property(anyForm, anyData, anyRights, (form, data, can) => {
        const visible = visibleSchema(form, data, can);
        const check = compileBody(enforcedSchema(form, can));
        for (const path of pathsOf(data).filter((field) => valueAt(visible.data, field) === undefined)) {
          const refused = check(withValueAt(visible.data, path, valueAt(data, path))).map(({ source = '' }) => source);
          // A value in a group that is hidden itself is refused with the group, a group that depends on its own member at that member.
          const isAbout = (source: string): boolean => `${path}.`.startsWith(`${source}.`) || source.startsWith(`${path}.`);
          expect(refused.some(isAbout)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('clearing once is enough', () => {
    fc.assert(
      fc.property(anyForm, anyData, anyRights, (form, data, can) => {
        const once = visibleSchema(form, data, can);
        expect(visibleSchema(form, once.data, can)).toEqual(once);
      }),
    );
  });

  test('hiding a field hides those that depend on it, and clears all', () => {
    const shown = { credit_type_id: 2, credit_count: 1, credit_price: 0, pro_form_nr: 'P-1' };
    expect(visibleSchema(exampleForm, shown).fields).toContain('pro_form_nr');
    expect(visibleSchema(exampleForm, { ...shown, credit_type_id: 1 }).data).toEqual({ credit_type_id: 1, credit_count: 1 });
  });

  test('what is in a hidden group is hidden, cleared and counts as empty', () => {
    const group = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', additionalProperties: false, properties });
    const form: FormFile = {
      ...exampleForm,
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          kind: { enum: ['wifi', 'wired'] },
          wifi: group({ ssid: { type: 'string' }, radio: group({ band: { enum: [2, 5] }, width: { enum: [20, 80] } }) }),
          note: { type: 'string' },
        },
      },
      fields: {
        wifi: { depends: { kind: ['wifi'] }, required: true },
        'wifi.radio.width': { depends: { 'wifi.radio.band': [5] }, required: true },
        note: { depends: { 'wifi.radio.width': [80] } },
      },
    };
    const data = { kind: 'wifi', wifi: { ssid: 'quay', radio: { band: 5, width: 80 } }, note: 'wide' };
    expect(visibleSchema(form, data)).toMatchObject({
      data,
      fields: ['kind', 'wifi', 'wifi.ssid', 'wifi.radio', 'wifi.radio.band', 'wifi.radio.width', 'note'],
    });
    expect(visibleSchema(form, { ...data, kind: 'wired' }).data).toEqual({ kind: 'wired' });
    const narrow = withValueAt(data, 'wifi.radio.band', 2);
    expect(visibleSchema(form, narrow).data).toEqual({ kind: 'wifi', wifi: { ssid: 'quay', radio: { band: 2 } } });
    const check = compileBody(enforcedSchema(form));
    const sources = (body: object): (string | undefined)[] => check(body).map(({ source }) => source);
    expect(sources(data)).toEqual([]);
    expect(sources({ ...data, kind: 'wired' })).toEqual(['wifi']);
    expect(sources(narrow)).toEqual(['wifi.radio.width']);
    expect(sources(withValueAt(data, 'wifi.radio.width', undefined))).toEqual(['wifi.radio.width', 'note']);
    expect(sources({ kind: 'wifi' })).toEqual(['wifi']);
    expect(visibleSchema(form, JSON.parse('{"kind":"wifi","wifi":{"__proto__":{"ssid":"x"},"constructor":1}}')).data).toEqual({
      kind: 'wifi',
      wifi: {},
    });
  });

  test('fields come in the order of the file, the rest after them', () => {
    const form = { ...exampleForm, order: ['comment', 'credit_count'] };
    expect(visibleSchema(form, {}).fields).toEqual(['comment', 'credit_count', 'credit_type_id']);
  });

  test('a record that was loaded is cut down to the fields of the form', () => {
    const record = { id: 7, credit_type_id: 1, credit_count: 2, created_at: '2026-11-21 03:15:00' };
    expect(visibleSchema(exampleForm, record).data).toEqual({ credit_type_id: 1, credit_count: 2 });
  });
});
