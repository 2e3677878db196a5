import { expect, test } from 'vitest';
import { importForm } from '../form/import-form.ts';
import { loadMeta } from '../codegen/load.ts';
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
  ['draft 2020-12', { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'array', prefixItems: [{ type: 'null' }] }],
])('an added form may be of %s', (_, schema) => expect(findings(schema)).toEqual([]));

test.each<[string, JsonSchema | object, string]>([
  [
    'a keyword that cannot be drawn',
    { unevaluatedProperties: false },
    '"unevaluatedProperties": false → unknown-key The key "unevaluatedProperties"',
  ],
  [
    'another draft',
    { $schema: 'http://json-schema.org/draft-04/schema#' },
    '"$schema": "http://json-schema.org/draft-04/schema#" → wrong-value',
  ],
  ['a remote reference', { items: { $ref: 'https://example.com/a.json' } }, '"$ref": "https://example.com/a.json" → reference'],
  [
    'a reference to nothing',
    { items: { $ref: '#/definitions/a' } },
    '"$ref": "#/definitions/a" → reference "#/definitions/a" leads to no schema',
  ],
  ['an unknown format', { format: 'regex' }, '"format": "regex" → wrong-value "regex" is not one of'],
  ['a risky pattern', { pattern: '^(a+)+$' }, '"pattern": "^(a+)+$" → risky-pattern'],
  ['a risky pattern of names', { patternProperties: { '^(a+)+$': {} } }, '"^(a+)+$": {} → risky-pattern'],
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
