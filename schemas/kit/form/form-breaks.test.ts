import { describe, expect, test } from 'vitest';
import { breaksOf } from './form-breaks.ts';
import { makeForm } from './test-form.ts';
import type { FieldRule, FormFile, JsonSchema } from './types.ts';

function form(properties: Record<string, JsonSchema>, required: string[] = [], fields: Record<string, FieldRule> = {}): FormFile {
  return makeForm({ schema: { type: 'object', additionalProperties: false, required, properties }, fields });
}

const TEXT: JsonSchema = { type: 'string', minLength: 1, maxLength: 20 };

describe('what a new version refuses of what the former took [G5]', () => {
  test('is nothing where fields are added, widened or let go as announced', () => {
    const before = form({ name: TEXT, old: TEXT, mode: { type: 'string', enum: ['a'] } }, ['name'], {
      old: { deprecated: { en: 'Use the name.' } },
    });
    const after = form({ name: { ...TEXT, maxLength: 40 }, note: TEXT, mode: { type: 'string', enum: ['a', 'b'] } });
    expect(breaksOf(before, after)).toEqual([]);
    expect(breaksOf(before, before)).toEqual([]);
  });

  test.each([
    ['removed', form({})],
    ['required', form({ name: TEXT }, ['name'])],
    ['required', form({ name: TEXT }, [], { name: { required: true } })],
    ['type', form({ name: { type: 'integer' } })],
    ['choices', form({ name: { ...TEXT, enum: ['a'] } })],
    ['limits', form({ name: { ...TEXT, maxLength: 10 } })],
    ['limits', form({ name: { ...TEXT, minLength: 2 } })],
    ['limits', form({ name: { ...TEXT, pattern: '^a' } })],
    ['permission', form({ name: TEXT }, [], { name: { permission: 'update_tags' } })],
  ] as const)('reports a field that is here %s', (what, after) => {
    expect(breaksOf(form({ name: TEXT }), after)).toEqual([{ field: 'name', what }]);
  });

  test('reports a new field that is required, and the members of groups', () => {
    const group = (members: Record<string, JsonSchema>): Record<string, JsonSchema> => ({
      address: { type: 'object', properties: members },
    });
    expect(breaksOf(form(group({ city: TEXT })), form({ ...group({}), code: TEXT }, ['code']))).toEqual([
      { field: 'address.city', what: 'removed' },
      { field: 'code', what: 'required' },
    ]);
  });
});
