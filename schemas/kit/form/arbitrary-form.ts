import fc from 'fast-check';
import { exampleForm } from './example-form.ts';
import type { FieldRule, FormFile, JsonPrimitive, JsonSchema, JsonValue } from './types.ts';

const names = ['a', 'b', 'c'];
const groups = ['g', 'h'];
const values: JsonPrimitive[] = [0, 1, 'x', true];
const value = fc.constantFrom(...values);

/** Every path that a generated form may have: fields and groups, three groups deep. */
const paths = [
  names,
  ...[['g'], ['h'], ['g', 'h'], ['g', 'h', 'g']].map((parts) => names.map((name) => [...parts, name].join('.'))),
].flat();
const groupPaths = ['g', 'h', 'g.h', 'g.h.g'];

const rule: fc.Arbitrary<FieldRule> = fc.record(
  {
    depends: fc.dictionary(fc.constantFrom(...paths, ...groupPaths), fc.uniqueArray(value, { minLength: 1, maxLength: 3 }), {
      minKeys: 1,
      maxKeys: 2,
    }),
    required: fc.boolean(),
    permission: fc.constantFrom('p', 'q'),
  },
  { requiredKeys: [] },
);

function anyLevel(depth: number): fc.Arbitrary<JsonSchema & { type: 'object'; properties: Record<string, JsonSchema> }> {
  const inner = depth === 0 ? {} : Object.fromEntries(groups.map((name) => [name, anyLevel(depth - 1)]));
  const fields = Object.fromEntries(names.map((name) => [name, fc.constant<JsonSchema>({ enum: values })]));
  return fc
    .tuple(
      fc.record<Record<string, JsonSchema>>({ ...fields, ...inner }, { requiredKeys: [] }),
      fc.subarray([...names, ...groups]),
      fc.constantFrom(false, false, true),
    )
    .map(([properties, required, additionalProperties]) => ({
      type: 'object',
      additionalProperties,
      required: required.filter((name) => Object.hasOwn(properties, name)),
      properties,
    }));
}

/** Any form with fields and groups in groups, open to other members or not, wrong ones too: fields that depend on themselves, in circles, on groups, or on nothing there is. */
export const anyForm: fc.Arbitrary<FormFile> = fc
  .record({
    schema: anyLevel(3),
    fields: fc.dictionary(fc.constantFrom(...paths, ...groupPaths), rule, { maxKeys: 8 }),
    order: fc.uniqueArray(fc.constantFrom(...paths, ...groupPaths, 'note')),
    sections: fc.array(fc.uniqueArray(fc.constantFrom(...paths, ...groupPaths, 'note', 'nowhere'), { maxLength: 5 }), { maxLength: 2 }),
  })
  .map(({ sections, ...form }) => ({
    ...exampleForm,
    ...form,
    alerts: { note: { type: 'info', text: { en: 'Note' } } },
    sections: sections.map((fields) => ({ title: { en: 'Part' }, fields })),
  }));

function anyMembers(depth: number): fc.Arbitrary<Record<string, JsonValue>> {
  const inner = Object.fromEntries(
    (depth === 0 ? [] : groups).map((name) => [
      name,
      fc.oneof({ weight: 6, arbitrary: anyMembers(depth - 1) }, { weight: 1, arbitrary: value }),
    ]),
  );
  const fields = Object.fromEntries([...names, 'unknown'].map((name) => [name, value]));
  return fc.record<Record<string, JsonValue>>({ ...fields, ...inner }, { requiredKeys: [] });
}

/** Data for such a form, right and wrong. */
export const anyData = anyMembers(3);

/** Which of the permissions `p` and `q` somebody holds. */
export const anyRights = fc.subarray(['p', 'q']).map(
  (held) =>
    (permission: string): boolean =>
      held.includes(permission),
);
