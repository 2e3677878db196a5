import { describe, expect, test } from 'vitest';
import { explanationAt, suggestionsAt } from './schema-help.ts';

/** A text with `|` where the cursor is. */
function at(marked: string): [text: string, offset: number] {
  return [marked.replace('|', ''), marked.indexOf('|')];
}

const offered = (marked: string): string[] => suggestionsAt(...at(marked)).suggestions.map(({ text }) => text);

describe('what can be written at a place of a form file', () => {
  test('keys of the form that are not there yet', () => {
    const keys = offered('{"id": "ops/x", "|"}');
    expect(keys).toContain('"submit"');
    expect(keys).not.toContain('"id"');
  });

  test('keys inside a property, by reference', () => {
    expect(offered('{"schema": {"properties": {"apn": {"m|"}}}}')).toContain('"maxLength"');
  });

  test('the values of an enumeration, and yes or no', () => {
    expect(offered('{"surface": |}')).toEqual(['"dialog"', '"page"']);
    expect(offered('{"danger": |}')).toEqual(['true', 'false']);
  });

  test('the names of the own fields where a field is named', () => {
    const schema = '"schema": {"properties": {"apn": {}, "mtu": {}}}';
    expect(offered(`{${schema}, "ui": {"|"}}`)).toEqual(['"apn"', '"mtu"']);
    expect(offered(`{${schema}, "order": ["|"]}`)).toEqual(['"apn"', '"mtu"']);
  });

  test('a partly typed word is replaced as a whole', () => {
    const [text, offset] = at('{"sur|"}');
    expect(suggestionsAt(text, offset)).toMatchObject({ from: 1, to: 6 });
  });

  test('nothing in a text that is no JSON', () => {
    expect(offered('|')).toEqual([]);
    expect(offered('} ]|')).toEqual([]);
  });
});

test('a key is explained in the words of the meta-schema', () => {
  const [text, offset] = at('{"schema": {"properties": {"apn": {"maxL|ength": 3}}}}');
  expect(explanationAt(text, offset)).toMatchObject({ from: offset - 5, explanation: expect.stringContaining('The most characters') });
  expect(explanationAt(...at('{"unheard|of": 3}'))).toBeUndefined();
});
