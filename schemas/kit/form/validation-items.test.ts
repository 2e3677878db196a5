import { describe, expect, test } from 'vitest';
import { compileBody } from './compile-body.ts';
import { englishText, translationOf, validationTexts } from './messages.ts';
import type { JsonSchema } from './types.ts';

const one = (schema: JsonSchema, value: unknown): string[] =>
  compileBody({ type: 'object', additionalProperties: false, properties: { field: schema } })({ field: value }).map(
    ({ message }) => message,
  );

describe('what people read when a value is refused', () => {
  test.each<[string, JsonSchema, unknown, string]>([
    ['too short with both bounds', { type: 'string', minLength: 3, maxLength: 64 }, 'ab', 'Use 3 to 64 characters.'],
    ['too long with both bounds', { type: 'string', minLength: 3, maxLength: 4 }, 'abcde', 'Use 3 to 4 characters.'],
    ['too long', { type: 'string', minLength: 1, maxLength: 4 }, 'abcde', 'Use at most 4 characters.'],
    ['too short', { type: 'string', minLength: 10 }, 'abc', 'Use at least 10 characters.'],
    ['of a fixed length', { type: 'string', minLength: 7, maxLength: 7 }, 'abc', 'Use exactly 7 characters.'],
    ['empty though needed', { type: 'string', minLength: 1, maxLength: 64, format: 'email' }, '', 'Fill in this field.'],
    ['out of range', { type: 'integer', minimum: 1, maximum: 300 }, 0, 'Enter a number from 1 to 300.'],
    ['below the least', { type: 'integer', minimum: 60 }, 5, 'Enter 60 or more.'],
    ['above the most', { type: 'number', maximum: 0.5 }, 1, 'Enter 0.5 or less.'],
    [
      'an id of nothing, whose upper bound is nobody’s business',
      { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      0,
      'Enter 1 or more.',
    ],
    ['between two steps', { type: 'number', multipleOf: 0.01 }, 1.155, 'Use steps of 0.01.'],
    ['of another type, which alone is said', { type: 'integer', minimum: 1 }, 0.5, 'Enter a whole number.'],
    ['no list', { type: 'array', items: { type: 'integer' } }, 'x', 'A list is expected here.'],
    ['too few', { type: 'array', minItems: 2 }, [1], 'Choose at least 2.'],
    ['too many', { type: 'array', maxItems: 1 }, [1, 2], 'Choose at most 1.'],
    ['repeated', { type: 'array', uniqueItems: true, items: { type: 'integer' } }, [1, 1], 'Each may appear only once. Repeated: 1'],
    [
      'repeated, with groups that have no name',
      { type: 'array', items: {}, uniqueItems: true },
      [{ a: 1 }, { a: 1 }],
      'Each may appear only once.',
    ],
    [
      'an address with a number too large',
      { type: 'string', format: 'ipv4' },
      '10.0.0.300',
      'Each number must be between 0 and 255; 300 is not.',
    ],
    [
      'an address of three numbers',
      { type: 'string', format: 'ipv4' },
      '10.0.0',
      'An IPv4 address has four numbers separated by dots; this has 3.',
    ],
    ['an address with leading zeros', { type: 'string', format: 'ipv4' }, '10.0.0.01', 'Write 01 without leading zeros.'],
    ['something that is no address at all', { type: 'string', format: 'ipv4' }, 'router', 'Enter an IPv4 address, such as 192.168.1.1.'],
    ['a network whose prefix is too long', { type: 'string', format: 'cidr' }, '10.0.0.0/33', 'The prefix must be between 0 and 32.'],
    ['a network without a prefix', { type: 'string', format: 'cidr' }, '10.0.0.0', 'Add the prefix after the address, such as /24.'],
    ['an IMEI that is too short', { type: 'string', format: 'imei' }, '35693803564380', 'An IMEI has 15 digits; this has 14.'],
    ['a file name with a slash', { type: 'string', format: 'file-name' }, 'a/b', 'File name contains forbidden symbols'],
    [
      'a monitoring period',
      { type: 'integer', minimum: 60, maximum: 31_536_000 },
      5,
      'Enter 60 seconds (a minute) to 31536000 seconds (a year).',
    ],
    ['not offered', { enum: ['a', 'b'] }, 'c', 'Choose one of the values offered.'],
    ['not an address', { type: 'string', format: 'email' }, 'kari', 'Enter an e-mail address, such as name@example.com.'],
    ['of another form', { type: 'string', pattern: '^a$' }, 'b', 'This does not have the expected format.'],
    [
      'of another form than the example',
      { type: 'string', pattern: '^a$', examples: ['a'] },
      'b',
      'This does not have the expected format. An example: a',
    ],
    ['none of several forms', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'x', 'The value matches none of the allowed options.'],
  ])('%s', (_, schema, value, message) => expect(one(schema, value)).toEqual([message]));

  test('1.15 fits a step of 0.01', () => expect(one({ type: 'number', multipleOf: 0.01 }, 1.15)).toEqual([]));

  test('the source is the path with dots, lists included', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { rows: { type: 'array', items: { type: 'object', required: ['name'], properties: { 'a/b': { type: 'string' } } } } },
    };
    const sources = compileBody(schema)({ rows: [{ name: 1 }, { 'a/b': 2 }] }).map(({ source }) => source);
    expect(sources.toSorted()).toEqual(['rows.1.a/b', 'rows.1.name']);
  });

  test('an error of the whole body has no source', () => {
    expect(compileBody({ type: 'object' })('x')).toEqual([
      { code: 'INVALID_FIELD', message: 'A group of fields is expected here.', params: { key: 'validation.type.object', keyword: 'type' } },
    ]);
  });

  test('a body of a hundred thousand unknown fields gets a short answer', () => {
    const body = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`field${index}`, 1]));
    const items = compileBody({ type: 'object', additionalProperties: false, properties: {} })(body);
    expect(items).toHaveLength(100);
    expect(items[0]?.code).toBe('UNKNOWN_FIELD');
  });

  test('every item carries the key and the values of its translation', () => {
    const [item] = compileBody({ type: 'object', properties: { a: { type: 'string', maxLength: 1 } } })({ a: 'xyz' });
    if (!item) throw new Error('The value should be refused.');
    const { key, params } = translationOf(item);
    expect({ key, count: params['count'] }).toEqual({ key: 'validation.maxLength', count: 1 });
    expect(englishText(key, params)).toBe('Use at most 1 character.');
    expect(translationOf({ code: 'NAME_TAKEN', message: '', params: { name: 'x' } })).toEqual({
      key: 'errors.NAME_TAKEN',
      params: { name: 'x' },
    });
  });

  test('a parameter that looks like a pattern is shown as it is', () => {
    expect(englishText('validation.unknown', { field: '$& {field}' })).toBe('Unknown field "$& {field}".');
    expect(Object.keys(validationTexts).length).toBeGreaterThan(30);
  });
});
