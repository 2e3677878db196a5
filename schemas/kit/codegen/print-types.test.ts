import { expect, test } from 'vitest';
import { printFormTypes, printType } from './print-types.ts';
import { makeForm } from '../form/test-form.ts';
import type { JsonSchema } from '../form/types.ts';

test.each<[string, JsonSchema, string]>([
  ['a text', { type: 'string', maxLength: 5 }, 'string'],
  ['a number that may be missing', { type: ['integer', 'null'] }, 'number | null'],
  ['a choice', { enum: ["it's", 1, null] }, "'it\\'s' | 1 | null"],
  ['one value', { const: true }, 'true'],
  ['a list', { type: 'array', items: { type: 'integer' } }, 'number[]'],
  ['a list of a choice', { type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]"],
  ['anything', {}, 'unknown'],
  ['no members', { type: 'object', additionalProperties: false, properties: {} }, 'Record<string, never>'],
  [
    'members',
    {
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'string', description: 'Why.' },
        'b-c': { type: 'array', items: { type: 'object', properties: { d: { type: 'boolean' } } } },
      },
    },
    "{\n  /** Why. */\n  a: string;\n  'b-c'?: {\n    d?: boolean;\n  }[];\n}",
  ],
])('%s', (_, schema, type) => expect(printType(schema)).toBe(type));

test('references are followed, also round in a circle [CD7]', () => {
  const node: JsonSchema = {
    type: 'object',
    properties: { name: { type: 'string' }, inner: { type: 'array', items: { $ref: '#/definitions/node' } } },
  };
  const schema: JsonSchema = {
    type: 'object',
    definitions: { node },
    properties: { tree: { $ref: '#/definitions/node' }, child: { $ref: '#' } },
  };
  expect(printFormTypes([makeForm({ id: 'ops/site-map', schema })])).toBe(`/** What each form sends, device selection aside. */
export interface FormData {
  'ops/site-map': {
    tree?: OpsSiteMapNode;
    child?: FormData['ops/site-map'];
  };
}

export type OpsSiteMapNode = {
  name?: string;
  inner?: OpsSiteMapNode[];
};
`);
});
