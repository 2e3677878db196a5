import { expect, test } from 'vitest';
import { SECOND } from '../../kernel/clock.ts';
import { apnForm, textOf } from '../../../tests/helpers/forms.ts';
import { HOSTILE_PATTERNS } from '../../../schemas/kit/patterns/hostile-patterns.ts';
import { createInspector } from './inspector.ts';
import { readFormContext } from './form-context.ts';

test('a file that takes too long to judge is refused as a whole; the next file is judged as ever [G8]', { timeout: 60_000 }, async () => {
  const errors: unknown[] = [];
  await using inspector = createInspector(
    () => readFormContext(),
    (error) => errors.push(error),
    SECOND,
  );
  // Many alternatives with members of their own: that is more to compile than a form has time for.
  const alternatives = Array.from({ length: 1200 }, (_, index) => ({ properties: { [`f${index}`]: { type: 'string', format: 'email' } } }));
  const { schema: _schema, fields: _fields, ui: _ui, ...form } = apnForm();
  const slow = JSON.stringify({ ...form, examples: [{}], schema: { type: 'object', anyOf: alternatives, allOf: alternatives }, ui: {} });
  expect(await inspector.inspect('ops/set-apn', slow)).toMatchObject({
    isUsable: false,
    findings: [{ code: 'too-slow', message: 'It takes too long to check this file.' }],
  });

  expect(await inspector.inspect('ops/set-apn', textOf(apnForm()))).toMatchObject({ isUsable: true, findings: [] });
  expect(errors).toEqual([]);
});

test(
  'a form with the expressions that kept a server busy is judged at once, and with its examples [HN1]',
  { timeout: 60_000 },
  async () => {
    await using inspector = createInspector(
      () => readFormContext(),
      () => undefined,
    );
    const { schema, ...form } = apnForm({ examples: [{ apn: `${'a'.repeat(90)}b` }] });
    const allOf = HOSTILE_PATTERNS.map((pattern) => ({ properties: { apn: { not: { pattern } } } }));
    const found = await inspector.inspect('ops/set-apn', textOf({ ...form, schema: { ...schema, allOf } }));
    expect(found.findings.map(({ code }) => code)).not.toContain('too-slow');
  },
);
