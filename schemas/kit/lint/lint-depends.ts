import { compileFormBody } from '../form/compile-body.ts';
import { checkName } from './lint-names.ts';
import type { FormContext } from './lint-names.ts';
import type { JsonPath } from './lint-source.ts';
import type { FieldRule, JsonPrimitive, JsonSchema, JsonValue } from '../form/types.ts';

type Wanted = Map<string, JsonPrimitive[]>;

/**
 * Everything that must hold for a field to exist, the conditions of the groups around it and of what it depends on included; a string says why it
 * never can.
 */
function conditionsOf(fields: FormContext['fields'], name: string, trail: readonly string[] = []): Wanted | string {
  if (trail.includes(name)) return `it depends on itself: ${[...trail.slice(trail.indexOf(name)), name].join(' → ')}`;
  const wanted: Wanted = new Map();
  const { rule, parent = '' } = fields.get(name) ?? {};
  const asked: [string, JsonPrimitive[] | undefined][] = Object.entries(rule?.depends ?? {});
  if (parent !== '') asked.push([parent, undefined]);
  for (const [other, values] of asked) {
    const deeper = conditionsOf(fields, other, [...trail, name]);
    if (typeof deeper === 'string') return deeper;
    for (const [field, allowed] of values ? [...deeper, [other, values] as const] : deeper) {
      const left = (wanted.get(field) ?? allowed).filter((value) => allowed.includes(value));
      if (left.length === 0) return `"${field}" would have to hold two values at once`;
      wanted.set(field, left);
    }
  }
  return wanted;
}

/** What a field accepts, by its schema, whose references lead to the whole. */
function acceptorOf(schema: JsonSchema, { definitions, $defs }: JsonSchema): (value: JsonValue) => unknown[] {
  try {
    return compileFormBody({ ...schema, ...(definitions ? { definitions } : {}), ...($defs ? { $defs } : {}) });
  } catch {
    // Reported where the whole is compiled.
    return () => [];
  }
}

/** Checks what something depends on: a field or a message. */
export function checkDependsOn({ source, names, fields, form }: FormContext, at: JsonPath, depends: FieldRule['depends']): void {
  for (const [other, values] of Object.entries(depends ?? {})) {
    checkName(source, [...at, other], 'field', other, names, 'key');
    const field = fields.get(other);
    if (!field) continue;
    if (field.isGroup) {
      source.report([...at, other], 'unreachable-depends', `"${other}" is a group, which holds no value to depend on.`, 'key');
      continue;
    }
    const accepts = acceptorOf(field.schema, form.schema);
    values.forEach((value, index) => {
      if (accepts(value).length > 0)
        source.report(
          [...at, other, index],
          'unreachable-depends',
          `"${other}" can never be ${JSON.stringify(value)}: its schema refuses it.`,
        );
    });
  }
}

/** Checks every `depends` of a form: it names fields, by values that they can hold, and the field can come to be shown at all. */
export function checkDepends(context: FormContext): void {
  const { source, form, fields } = context;
  for (const [name, rule] of Object.entries(form.fields ?? {})) {
    const at: JsonPath = ['fields', name, 'depends'];
    checkDependsOn(context, at, rule.depends);
    const conditions = rule.depends ? conditionsOf(fields, name) : undefined;
    if (typeof conditions === 'string') source.report(at, 'unreachable-depends', `The field "${name}" can never be shown: ${conditions}.`);
  }
}
