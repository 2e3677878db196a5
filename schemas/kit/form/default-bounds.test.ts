import { describe, expect, test } from 'vitest';
import { compileForm } from '../codegen/compile-form.ts';
import { DEFAULT_BOUNDS, withDefaultBounds } from './default-bounds.ts';
import { loadContract } from '../codegen/load.ts';
import { isRecursive } from './refs.ts';
import { makeForm } from './test-form.ts';
import type { JsonSchema, JsonValue } from './types.ts';

const open: JsonSchema = {
  type: 'object',
  properties: {
    note: { type: 'string' },
    digits: { type: 'string', pattern: '\\d+' },
    list: { type: 'array', items: { type: 'integer' } },
    kind: { type: 'string', enum: ['a', 'b'] },
  },
};
const keysAt = (data: JsonValue): string[] =>
  compileForm(makeForm({ schema: open }))(data).map(({ source, params }) => `${source ?? ''} ${String(params?.['key'])}`);

describe('what a schema leaves unbounded', () => {
  test('is bounded by defaults on both sides', () => {
    expect(keysAt({ note: 'x'.repeat(DEFAULT_BOUNDS.maxLength), list: [1] })).toEqual([]);
    expect(keysAt({ note: 'x'.repeat(DEFAULT_BOUNDS.maxLength + 1) })).toEqual(['note validation.maxLength']);
    expect(keysAt({ list: Array.from({ length: DEFAULT_BOUNDS.maxItems + 1 }, () => 1) })).toEqual(['list validation.maxItems']);
    expect(keysAt(Object.fromEntries(Array.from({ length: DEFAULT_BOUNDS.maxProperties + 1 }, (_, index) => [`m${index}`, 1])))).toEqual([
      ' validation.maxProperties',
    ]);
  });

  test('gets no bound below `if` and `not`, where one would let more through', () => {
    const schema: JsonSchema = { not: { type: 'string' }, if: { type: 'array' } };
    expect(withDefaultBounds(schema)).toBe(schema);
  });

  test('the forms that ship are bounded by themselves', () => {
    for (const form of Object.values(loadContract().forms)) expect(withDefaultBounds(form.schema)).toBe(form.schema);
  });
});

describe('data that is not even compared', () => {
  const nested = (levels: number): JsonValue => (levels === 0 ? 1 : [nested(levels - 1)]);
  const any = compileForm(makeForm({ schema: { enum: [{ a: 1 }, [1]] } }));

  test('is nested deeper than 32 levels', () => {
    expect(any(nested(40)).map(({ params }) => params?.['key'])).toEqual(['validation.tooDeep']);
    expect(any(nested(32)).map(({ params }) => params?.['key'])).toEqual(['validation.enum']);
  });

  test.each(['valueOf', 'toString'])('has a member %s, which comparing objects would call', (name) => {
    expect(any({ a: { [name]: 1 } }).map(({ code, source }) => [code, source])).toEqual([['UNKNOWN_FIELD', `a.${name}`]]);
  });
});

test('a schema is recursive when a reference leads back to it', () => {
  const node: JsonSchema = { type: 'object', properties: { next: { $ref: '#/definitions/node' } } };
  const leaf: JsonSchema = { type: 'object', properties: { name: { $ref: '#/definitions/name' } } };
  expect(isRecursive({ definitions: { node }, $ref: '#/definitions/node' })).toBe(true);
  expect(isRecursive({ properties: { self: { $ref: '#' } } })).toBe(true);
  expect(isRecursive({ definitions: { leaf, name: { type: 'string' } }, items: { $ref: '#/definitions/leaf' } })).toBe(false);
});
