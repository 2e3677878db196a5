import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinValues, splitValues } from './value-list.ts';

test('values come back as they were, whatever commas and backslashes are in them [CC7]', () => {
  const value = fc.string({ unit: fc.constantFrom('a', ',', '\\', ' ', '"'), minLength: 1 });
  fc.assert(
    fc.property(fc.array(value), (values) => {
      expect(splitValues(joinValues(values))).toEqual(values);
    }),
  );
});

test('a list without escapes means what it always did [CC7]', () => {
  expect(splitValues(String.raw`RUT956, RUTX50,,C:\dir`)).toEqual(['RUT956', ' RUTX50', String.raw`C:\dir`]);
});
