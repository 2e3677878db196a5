import { Set as setFormat } from 'typebox/format';
import { Check } from 'typebox/schema';
import { formats } from './formats.ts';
import { interpretable } from './interpretable-schema.ts';
import { withRefsTo } from './refs.ts';
import type { JsonSchema } from './types.ts';

for (const [name, rule] of Object.entries(formats)) setFormat(name, (text) => rule.test(text));

const ROOT = 'urn:canopy:form';
const prepared = new WeakMap<object, object>();

/** A schema by itself that carries the whole which its references lead to. */
function withRoot(part: JsonSchema, root: JsonSchema): object {
  const known = prepared.get(part);
  if (known) return known;
  const { $id = ROOT } = root;
  const fits = (inner: JsonSchema, data: unknown): boolean => interpretPart(inner, data, root);
  const named = { ...interpretable(root, fits), $id };
  const whole = { $id: 'urn:canopy:part', allOf: [interpretable(withRefsTo(part, $id), fits)], $defs: { root: named } };
  prepared.set(part, whole);
  return whole;
}

/** Whether data fits a part of a form's schema that nobody compiled, without making code of it. */
export function interpretPart(part: JsonSchema, data: unknown, root: JsonSchema): boolean {
  return Check(withRoot(part, root), data);
}
