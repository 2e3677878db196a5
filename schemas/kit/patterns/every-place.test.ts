import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileValidator } from '../codegen/compile-validator.ts';
import { readConfiguration } from '../devices/read-configuration.ts';
import { checkItem } from '../form/check-item.ts';
import { compileFormBody } from '../form/compile-body.ts';
import { validatorOf } from '../form/form-parts.ts';
import type { FormModule } from '../form/form-validator.ts';
import { interpretPart } from '../form/interpret-part.ts';
import { makeForm } from '../form/test-form.ts';
import type { JsonSchema } from '../form/types.ts';
import { loadPatterns } from './load-patterns.ts';
import { HOSTILE_PATTERNS, hostilePattern, hostileText } from './hostile-patterns.ts';

async function compiledFor(schema: JsonSchema, isAdded = true): Promise<{ code: string; module: Omit<FormModule, 'form'> }> {
  const { code } = compileValidator(makeForm({ schema }), { isAdded });
  const module: Omit<FormModule, 'form'> = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
  return { code, module };
}

/** Each expression for a text, and for the names of members. */
function schemaOf(patterns: readonly string[]): JsonSchema {
  const texts = Object.fromEntries(patterns.map((pattern, index) => [`f${index}`, { type: 'string' as const, pattern }]));
  const names = Object.fromEntries(patterns.map((pattern, index) => [pattern, { type: 'string' as const, maxLength: 10_000 + index }]));
  return { type: 'object', properties: { ...texts, names: { type: 'object', patternProperties: names } }, additionalProperties: false };
}

test(
  'on the server, in the console and where a form is drawn, the same expressions fit the same texts, and none takes long [HN1]',
  { timeout: 300_000 },
  async () => {
    await loadPatterns();
    const many = fc.sample(fc.tuple(hostilePattern, hostileText), 10_000);
    for (let start = 0; start < many.length; start += 100) {
      const part = many.slice(start, start + 100);
      const schema = schemaOf(part.map(([pattern]) => pattern));
      const data = {
        ...Object.fromEntries(part.map(([, text], index) => [`f${index}`, text])),
        names: Object.fromEntries(part.slice(0, 5).map(([, text]) => [text, 'x'])),
      };
      const onServer = compileFormBody(schema)(data).flatMap(({ source, params }) => (params?.['keyword'] === 'pattern' ? [source] : []));
      for (const [pattern, text] of part) expect(checkItem({ type: 'string', pattern }, text).length).toBeLessThan(2);
      // What is compiled for the console is compiled twice; every tenth is enough to compare.
      if (start % 1000 !== 0) continue;
      const { module } = await compiledFor(schema);
      await validatorOf(module);
      const faults = (items: readonly { keyword: string; instancePath: string }[]) =>
        items.filter(({ keyword }) => keyword === 'pattern').map(({ instancePath }) => instancePath.slice(1));
      const isRight = module.validate(data);
      const inConsole = faults(module.validate.errors ?? []);
      expect(onServer).toEqual(inConsole);
      expect(interpretPart(schema, data, schema)).toBe(isRight);
    }
  },
);

test(
  'a body of many texts and expressions costs no more than one may: what is beyond that does not match [HN1]',
  { timeout: 60_000 },
  () => {
    const costly = '^(?:a|b)*a(?:a|b){200}$';
    const check = compileFormBody({
      type: 'array',
      items: { type: 'string', allOf: Array.from({ length: 20 }, () => ({ pattern: costly })) },
    });
    const texts = Array.from({ length: 10 }, (_, index) => `${index}${'ab'.repeat(45_000)}`);
    expect(check(texts).length).toBeGreaterThan(0);
    expect(check([`a${'b'.repeat(200)}`])).toEqual([]);
  },
);

test('a form that ships runs its expressions on the browser’s own engine, an added one brings what they run on [HN1]', async () => {
  const schema: JsonSchema = { type: 'object', properties: { name: { type: 'string', pattern: '^(?:ж|ж)+$' } } };
  const [shipped, added] = [await compiledFor(schema, false), await compiledFor(schema)];
  expect(shipped.module.usePatterns).toBeUndefined();
  expect(shipped.code).toContain('new RegExp');
  expect(added.code).not.toContain('new RegExp');
  await validatorOf(added.module);
  expect(added.module.validate({ name: `${'ж'.repeat(60)}!` })).toBe(false);
  expect(added.module.validate({ name: 'жж' })).toBe(true);
  expect((await compiledFor({ type: 'object', properties: { name: { type: 'string' } } })).module.usePatterns).toBeUndefined();
});

test('an expression that an older version kept and that cannot be used fits nothing, on either side [HN1]', async () => {
  const schema: JsonSchema = { type: 'object', properties: { name: { type: 'string', pattern: '^(?=a)' } } };
  const { module } = await compiledFor(schema);
  await validatorOf(module);
  expect([
    module.validate({ name: 'a' }),
    compileFormBody(schema)({ name: 'a' }).length,
    interpretPart(schema, { name: 'a' }, schema),
  ]).toEqual([false, 1, false]);
});

test.each([
  ['^(?=a)', 'An expression cannot look ahead'],
  ['(a{1000}){1000}', 'This expression is too large'],
  ['(', 'This is no regular expression'],
])('a description of devices with the expression %s is refused at the option that has it [HN1]', (pattern, reason) => {
  const section = { 'x-uci': { config: 'system', type: 'system' }, type: 'object', properties: { hostname: { type: 'string', pattern } } };
  expect(readConfiguration({ properties: { system: section } })).toMatchObject({
    fault: { at: '/properties/system/properties/hostname', reason: expect.stringContaining(reason) },
  });
});

test('a description of devices may have what kept a server busy [HN1]', () => {
  for (const pattern of HOSTILE_PATTERNS) {
    const section = {
      'x-uci': { config: 'system', type: 'system' },
      type: 'object',
      properties: { hostname: { type: 'string', pattern } },
    };
    expect(readConfiguration({ properties: { system: section } })).toHaveProperty('document');
  }
});

test('the interpreter judges members by the patterns of their names, and the others by what is said of others [HN1]', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { fixed: { type: 'integer' } },
    patternProperties: { '^n_': { type: 'number' }, _t$: { type: ['string', 'number'] } },
    additionalProperties: { $ref: '#/definitions/flag' },
    definitions: { flag: { type: 'boolean' } },
  };
  const verdict = (data: object) => interpretPart(schema, data, schema);
  expect([{ fixed: 1 }, { n_a: 1.5 }, { a_t: 'x' }, { n_t: 1 }, { other: true }].map(verdict)).toEqual([true, true, true, true, true]);
  expect([{ fixed: 1.5 }, { n_a: 'x' }, { a_t: true }, { n_t: 'x' }, { other: 1 }].map(verdict)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});
