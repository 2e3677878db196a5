import fc from 'fast-check';
import type { JsonSchema, JsonValue } from '../../schemas/kit/types.ts';

const texts: Record<string, string[]> = {
  name: ['Bergen ferry quay 04', 'a', '東京 7', 'a/b', ' a', "it's", 'x\ny'],
  line: ["O'Brien", 'a', ' a', 'a\nb'],
  email: ['kari@fjordline.example', 'kari', 'a@b', ''],
  color: ['#0958d9', '#fff', 'red'],
};
const oddities: JsonValue[] = [null, true, 'x', 0, -1, 1.5, 1e30, [], {}, [1], { a: 1 }, '', ' ', 'x'.repeat(5000), '😀'.repeat(200)];

function anyText({ format, minLength = 0, maxLength = 50 }: JsonSchema): fc.Arbitrary<JsonValue> {
  const edges = [minLength - 1, minLength, minLength + 1, maxLength - 1, maxLength, maxLength + 1].filter((length) => length >= 0);
  return fc.oneof(
    fc.constantFrom(...edges).map((length) => 'å'.repeat(length)),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(...((format === undefined ? undefined : texts[format]) ?? ['abc', 'view_devices'])),
  );
}

function anyNumber({ minimum = 0, maximum = 100 }: JsonSchema): fc.Arbitrary<JsonValue> {
  return fc.oneof(fc.constantFrom(minimum - 1, minimum, minimum + 1, maximum, maximum + 1, minimum + 0.5), fc.integer({ min: 1, max: 20 }));
}

function anyValueOf(schema: JsonSchema): fc.Arbitrary<JsonValue> {
  if (schema.enum) return fc.constantFrom(...schema.enum, 'none of them');
  const [type] = Array.isArray(schema.type) ? schema.type : [schema.type];
  switch (type) {
    case 'string':
      return anyText(schema);
    case 'integer':
    case 'number':
      return anyNumber(schema);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(anyValueOf(schema.items ?? {}), { maxLength: 4 });
    case 'object':
      return anyDataOf(schema);
    default:
      return fc.constantFrom(...oddities);
  }
}

/** Data for a schema, right and wrong: at and beyond every bound, of wrong types, with members missing and members too many. */
export function anyDataOf(schema: JsonSchema): fc.Arbitrary<Record<string, JsonValue>> {
  const members = Object.entries(schema.properties ?? {}).map(([name, property]): [string, fc.Arbitrary<JsonValue>] => [
    name,
    fc.oneof({ weight: 12, arbitrary: anyValueOf(property) }, { weight: 1, arbitrary: fc.constantFrom(...oddities) }),
  ]);
  const known = fc.record(Object.fromEntries(members), { requiredKeys: [] });
  const missing = fc.subarray(Object.keys(schema.properties ?? {}));
  const extra = fc.oneof(
    { weight: 6, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.dictionary(fc.constantFrom('unknown', 'constructor', 'device_id'), fc.constantFrom(...oddities), { maxKeys: 1 }),
    },
  );
  const full = fc.record(Object.fromEntries(members));
  return fc
    .tuple(fc.oneof({ weight: 3, arbitrary: full }, { weight: 1, arbitrary: known }), extra, missing, fc.nat(3))
    .map(([data, more, dropped, chance]) => {
      const kept = Object.entries(data).flatMap(([name, value]): [string, JsonValue][] =>
        value === undefined || (chance === 0 && dropped.includes(name)) ? [] : [[name, value]],
      );
      return { ...Object.fromEntries(kept), ...more };
    });
}
