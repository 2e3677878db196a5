import { expect, test } from 'vitest';
import { printType } from './print-types.ts';
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
