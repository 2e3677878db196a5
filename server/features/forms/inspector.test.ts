import { expect, test } from 'vitest';
import { SECOND } from '../../kernel/clock.ts';
import { apnForm, textOf } from '../../../tests/helpers/forms.ts';
import { createInspector } from './inspector.ts';
import { readFormContext } from './form-context.ts';

/** Nothing in it looks risky by itself; together its groups can cut a row of letters in billions of ways. */
const SLOW_PATTERN = `^${'(?:a|aa){0,10}'.repeat(5)}$`;

const apnWith = (pattern: string, example: string): string => {
  const { schema, ...form } = apnForm({ examples: [{ apn: example }] });
  return textOf({
    ...form,
    schema: { ...schema, properties: { ...schema.properties, apn: { type: 'string', minLength: 1, maxLength: 100, pattern } } },
  });
};

test(
  'a file that takes too long to judge is refused: at the pattern that does it, or as a whole; the next file is judged as ever [G8]',
  { timeout: 60_000 },
  async () => {
    const errors: unknown[] = [];
    await using inspector = createInspector(
      () => readFormContext(),
      (error) => errors.push(error),
      SECOND,
    );
    const slow = apnWith(SLOW_PATTERN, 'aa');
    const line = slow.split('\n').findIndex((text) => text.includes('"pattern"')) + 1;
    expect(await inspector.inspect('ops/set-apn', slow)).toMatchObject({ isUsable: false, findings: [{ code: 'slow-pattern', line }] });

    // Here the example itself keeps the pattern busy, before any pattern is tried on purpose.
    expect(await inspector.inspect('ops/set-apn', apnWith(SLOW_PATTERN, `${'a'.repeat(90)}b`))).toMatchObject({
      isUsable: false,
      findings: [{ code: 'too-slow', message: 'It takes too long to check this file.' }],
    });

    expect(await inspector.inspect('ops/set-apn', textOf(apnForm()))).toMatchObject({ isUsable: true, findings: [] });
    expect(errors).toEqual([]);
  },
);
