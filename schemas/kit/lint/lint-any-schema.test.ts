import { expect, test } from 'vitest';
import { importForm } from '../form/import-form.ts';
import { loadMeta } from '../codegen/load.ts';
import { readableSchema } from '../form/readable-schema.ts';
import { lintFiles } from './lint.ts';
import type { JsonSchema, JsonValue } from '../form/types.ts';

const meta = loadMeta();

/** What is wrong with a schema as an added form: `line text: code message`. */
function findings(schema: JsonSchema, uiSchema: Record<string, JsonValue> = {}, data?: JsonValue): string[] {
  const text = JSON.stringify(importForm('ops/any', { schema, uiSchema, ...(data === undefined ? {} : { data }) }), null, 2);
  const lines = text.split('\n');
  return lintFiles([{ path: 'added/ops/any.form.json', text }], { meta, known: { forms: new Set() } }).map(
    ({ line, code, message }) => `${(lines[line - 1] ?? '').trim()} → ${code} ${message}`,
  );
}

test.each<[string, JsonSchema]>([
  ['a text', { type: 'string' }],
  ['nothing at all', {}],
  ['a list', { type: 'array', items: [{ type: 'string' }], additionalItems: false }],
  ['references', { definitions: { a: { type: 'string' } }, properties: { firstName: { $ref: '#/definitions/a' } } }],
  ['a recursive type', { definitions: { n: { properties: { next: { $ref: '#/definitions/n' } } } }, $ref: '#/definitions/n' }],
  ['choices', { oneOf: [{ type: 'string' }, { type: 'object', properties: { a: { const: { b: [1] } } } }] }],
  ['conditions', { type: 'object', if: { required: ['a'] }, then: { required: ['b'] }, dependencies: { b: ['c'] } }],
  ['free names', { type: 'object', properties: { 'Do you agree?': { type: 'boolean' } }, patternProperties: { '^x-': {} } }],
  [
    'boolean schemas',
    { type: 'object', properties: { a: true, b: { type: 'string' } }, else: { properties: { a: false } } } as unknown as JsonSchema,
  ],
  ['members that a condition brings', { type: 'object', properties: { a: {} }, required: ['b'], anyOf: [{ properties: { b: {} } }] }],
  ['draft 2020-12', { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'array', prefixItems: [{ type: 'null' }] }],
])('an added form may be of %s', (_, schema) => expect(findings(schema)).toEqual([]));

test.each<[string, JsonSchema | object, string]>([
  [
    'a keyword of its draft that cannot be drawn',
    { $schema: 'https://json-schema.org/draft/2020-12/schema', unevaluatedProperties: false },
    '"unevaluatedProperties": false → unknown-key The key "unevaluatedProperties"',
  ],
  [
    'a mistyped keyword [CD11]',
    { type: 'string', maxLenth: 5 },
    '"maxLenth": 5 → unknown-key The key "maxLenth" is not known here. Did you mean "maxLength"?',
  ],
  ['a remote reference', { items: { $ref: 'https://example.com/a.json' } }, '"$ref": "https://example.com/a.json" → reference'],
  [
    'a reference to nothing',
    { items: { $ref: '#/definitions/a' } },
    '"$ref": "#/definitions/a" → reference "#/definitions/a" leads to no schema',
  ],
  ['a reference to itself', { allOf: [{ $ref: '#' }] }, '"$ref": "#" → reference "#" leads to itself'],
  [
    'definitions that lead to each other without a member in between',
    { definitions: { a: { anyOf: [{ $ref: '#/definitions/b' }, {}] }, b: { not: { $ref: '#/definitions/a' } } }, $ref: '#/definitions/a' },
    '"$ref": "#/definitions/a" → reference "#/definitions/a" leads to itself',
  ],
  ['a pattern that looks ahead [HN1]', { pattern: '^(?!a)' }, '"pattern": "^(?!a)" → bad-pattern An expression cannot look ahead'],
  [
    'a pattern of names that refers back [HN1]',
    { patternProperties: { '(a)\\1': {} } },
    '"(a)\\\\1": {} → bad-pattern An expression cannot refer back',
  ],
  [
    'a pattern that is too large [HN1]',
    { pattern: '(a{1000}){1000}' },
    '"pattern": "(a{1000}){1000}" → bad-pattern This expression is too large',
  ],
  [
    'a required member that is refused',
    { type: 'object', properties: { apn: {} }, required: ['apm'], additionalProperties: false },
    '"apm" → unknown-field "apm" is required but is no property. Did you mean "apn"?',
  ],
  [
    'a required member that nobody can enter [CD11]',
    { type: 'object', properties: { apn: {} }, required: ['apm'] },
    '"apm" → unknown-field "apm" is required but is no property. Did you mean "apn"?',
  ],
  ['a name of the prototype', { properties: { constructor: {} } }, '"constructor": {} → bad-name'],
])('refuses %s, named and at its place', (_, schema, expected) => {
  const found = findings(schema as JsonSchema, {}, {});
  expect(found.filter((finding) => finding.startsWith(expected))).toHaveLength(1);
});

test('refuses an unknown widget and an order that leaves fields out, which could not be drawn', () => {
  const schema: JsonSchema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } };
  expect(findings(schema, { 'ui:order': ['a'] })).toEqual([
    '"ui:order": [ → missing-order The order leaves out b: name them, or "*" for the others.',
  ]);
  expect(findings(schema, { 'ui:order': ['a', '*'], a: { 'ui:widget': 'textaria' } })[0]).toMatch(
    /wrong-value "textaria" .* Did you mean "textarea"\?/,
  );
});

test('reads what other programs say in words of their own: draft 4, OpenAPI, unknown keywords and formats [CD11]', () => {
  const foreign = {
    $schema: 'http://json-schema.org/draft-04/schema#',
    id: 'http://example.com/device',
    type: 'object',
    'x-vendor': { id: 1 },
    properties: {
      mtu: { type: 'integer', minimum: 5, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
      host: { type: 'string', format: 'uc-host', markdownDescription: 'x', nullable: true, default: { id: 1 } },
    },
  };
  expect(findings(foreign as unknown as JsonSchema, {}, { mtu: 6, host: null })).toEqual([]);
  expect(findings(foreign as unknown as JsonSchema, {}, { mtu: 5 })).toEqual([expect.stringContaining('bad-example')]);
  expect(readableSchema(foreign as unknown as JsonSchema)).toEqual({
    $id: 'http://example.com/device',
    type: 'object',
    properties: { mtu: { type: 'integer', exclusiveMinimum: 5, maximum: 9 }, host: { type: ['string', 'null'], default: { id: 1 } } },
  });
});

test('counts the levels of a schema from its own root, and says where it is too deep [CD11]', () => {
  const nested = (levels: number): JsonSchema =>
    levels === 0 ? { type: 'string' } : { type: 'object', properties: { inner: nested(levels - 1) } };
  expect(findings(nested(19))).toEqual([]);
  expect(findings(nested(20))).toEqual([expect.stringMatching(/^"inner": \{ → too-deep The schema is nested deeper than 40 levels/)]);
});
