import fc from 'fast-check';
import { itemOf } from '../../schemas/kit/form/schema-parts.ts';
import { maskExample } from '../../schemas/kit/form/mask.ts';
import type { FieldUi, JsonSchema, JsonValue } from '../../schemas/kit/form/types.ts';

const texts: Record<string, string[]> = {
  name: ['Bergen ferry quay 04', 'a', '東京 7', 'a/b', ' a', "it's", 'x\ny'],
  line: ["O'Brien", 'a', ' a', 'a\nb'],
  email: ['kari@fjordline.example', 'kari', 'a@b', ''],
  timestamp: ['2026-11-20 00:00:00', '2026-11-21 00:00:00', '2026-11-21'],
  color: ['#0958d9', '#fff', 'red'],
};
const oddities: JsonValue[] = [null, true, 'x', 0, -1, 1.5, 1e30, [], {}, [1], { a: 1 }, '', ' ', 'x'.repeat(5000), '😀'.repeat(200)];

const jsonTexts = ['{"a":1}', '[1, 2]', '7', '{', '[1,]', '// no', '{"a":1,}', '['.repeat(50)];

/** Texts that fit a mask, stop before its end, go on behind it, or leave it in the middle. */
function masked(mask: string): string[] {
  const example = maskExample(mask);
  return [example, example.slice(0, -1), `${example}x`, example.replace(/\w/, '?'), example.toLowerCase()];
}

function anyText({ format, minLength = 0, maxLength = 50 }: JsonSchema, ui: FieldUi): fc.Arbitrary<JsonValue> {
  const mask = ui['ui:mask'];
  if (mask !== undefined) return fc.oneof(fc.constantFrom(...masked(mask)), fc.string({ maxLength: 20 }));
  if (ui['ui:widget'] === 'json') return fc.oneof(fc.constantFrom(...jsonTexts), fc.string({ maxLength: 20 }));
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

type Uis = Readonly<Record<string, FieldUi>>;

function anyValueOf(schema: JsonSchema, uis: Uis, path: string): fc.Arbitrary<JsonValue> {
  if (schema.enum) return fc.constantFrom(...schema.enum, 'none of them');
  const [type] = Array.isArray(schema.type) ? schema.type : [schema.type];
  switch (type) {
    case 'string':
      return anyText(schema, uis[path] ?? {});
    case 'integer':
    case 'number':
      return anyNumber(schema);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(anyValueOf(itemOf(schema) ?? {}, uis, `${path}.0`), { maxLength: 4 });
    case 'object':
      return anyDataOf(schema, uis, `${path}.`);
    default:
      return fc.constantFrom(...oddities);
  }
}

/**
 * Data for a schema, right and wrong: at and beyond every bound, of wrong types, with members missing and members too many, and beside the masks
 * of `uis`.
 */
export function anyDataOf(schema: JsonSchema, uis: Uis = {}, inside = ''): fc.Arbitrary<Record<string, JsonValue>> {
  const members = Object.entries(schema.properties ?? {}).map(([name, property]): [string, fc.Arbitrary<JsonValue>] => [
    name,
    fc.oneof(
      { weight: 12, arbitrary: anyValueOf(property, uis, `${inside}${name}`) },
      { weight: 1, arbitrary: fc.constantFrom(...oddities) },
    ),
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
