import { expect, test } from 'vitest';
import words from '../../_generated/rule-words.json' with { type: 'json' };
import { RULE_PARAMETERS } from './rule-parameters.ts';

test.each(Object.entries(words))('everything that conditions speak of has a word in %s', (_language, texts) => {
  const known = Object.keys(texts);
  const nameless = RULE_PARAMETERS.filter(
    ({ name }) => !known.includes(`automations.parameter.${name}`) && !known.includes(`fields.${name}`),
  );
  expect(nameless.map(({ name }) => name)).toEqual([]);
});
