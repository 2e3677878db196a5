import { compileBody } from './compile-body.ts';
import { fieldsSchema } from './enforced-schema.ts';
import { checkSchema } from './lint-schema.ts';
import type { JsonPath, LintSource } from './lint-source.ts';
import { didYouMean } from './nearest.ts';
import { hasTextFor, labelKeyOf } from './text-keys.ts';
import type { FieldUi, FormFile, JsonPrimitive, JsonSchema, Text, WidgetName } from './types.ts';

/** The names that contract files may refer to; a list that is not given is not checked. */
export interface KnownNames {
  permissions?: ReadonlySet<string>;
  lookups?: ReadonlySet<string>;
  help?: ReadonlySet<string>;
  entities?: ReadonlySet<string>;
  resources?: ReadonlySet<string>;
  /** Keys of the English texts. */
  texts?: ReadonlySet<string>;
}

const WIDGET_TYPES: Record<WidgetName, string[]> = {
  text: ['string'],
  textarea: ['string'],
  password: ['string'],
  color: ['string'],
  number: ['integer', 'number'],
  checkbox: ['boolean'],
  select: ['string', 'integer', 'number', 'boolean'],
  radio: ['string', 'integer', 'number', 'boolean'],
  lookup: ['string', 'integer', 'array'],
  'multi-select': ['array'],
  date: ['string'],
  'time-range': ['object'],
  file: ['string', 'array', 'object'],
  json: ['string', 'object', 'array'],
  'list-input': ['array'],
  'table-input': ['array'],
  'device-select': ['integer', 'array'],
  group: ['object'],
  hidden: ['string', 'integer', 'number', 'boolean', 'array', 'object'],
};

interface Context {
  source: LintSource;
  form: FormFile;
  names: string[];
  known: KnownNames;
}

function checkName(
  source: LintSource,
  at: JsonPath,
  what: string,
  name: string | undefined,
  known: Iterable<string> | undefined,
  key?: 'key',
): void {
  if (name === undefined || known === undefined) return;
  const names = new Set(known);
  if (!names.has(name)) source.report(at, `unknown-${what}`, `No ${what} named "${name}".${didYouMean(name, names)}`, key);
}

/** Checks a text: its key is translated, or it carries no markup. */
export function checkText(source: LintSource, text: Text | undefined, at: JsonPath, texts: ReadonlySet<string> | undefined): void {
  if (text === undefined) return;
  if (typeof text === 'string') {
    if (texts && !hasTextFor(text, texts))
      source.report(at, 'missing-text', `No English text for the key "${text}".${didYouMean(text, texts)}`);
    return;
  }
  for (const [language, words] of Object.entries(text)) {
    if (/<[a-z/!]/i.test(words)) source.report([...at, language], 'markup', 'Texts are plain: no HTML.');
  }
}

function checkTexts({ source, form, names, known: { texts } }: Context): void {
  const check = (text: Text | undefined, at: JsonPath): void => checkText(source, text, at, texts);
  check(form.title, ['title']);
  check(form.description, ['description']);
  check(form.submitLabel, ['submitLabel']);
  check(form.submit.confirm, ['submit', 'confirm']);
  check(form.submit.success.message, ['submit', 'success', 'message']);
  for (const [name, ui] of Object.entries(form.ui ?? {})) {
    for (const part of ['ui:label', 'ui:hint', 'ui:placeholder', 'ui:subtext', 'ui:addon'] as const) check(ui[part], ['ui', name, part]);
    for (const [value, label] of Object.entries(ui['ui:options']?.labels ?? {})) check(label, ['ui', name, 'ui:options', 'labels', value]);
  }
  for (const name of names) {
    const key = labelKeyOf(form, name);
    const isImplicit = key === `fields.${name}` && form.ui?.[name]?.['ui:label'] === undefined;
    if (isImplicit && texts && form.ui?.[name]?.['ui:widget'] !== 'hidden' && !hasTextFor(key, texts)) {
      source.report(
        ['schema', 'properties', name],
        'missing-text',
        `No English text for the label "${key}".${didYouMean(key, texts)}`,
        'key',
      );
    }
  }
}

function checkWidget({ source, names, known }: Context, name: string, ui: FieldUi, schema: JsonSchema): void {
  const at: JsonPath = ['ui', name];
  const types = schema.type === undefined ? [] : Array.isArray(schema.type) ? schema.type : [schema.type];
  const widget = ui['ui:widget'];
  const options = ui['ui:options'];
  if (widget && types.length > 0 && !types.some((type) => WIDGET_TYPES[widget].includes(type))) {
    source.report([...at, 'ui:widget'], 'widget-type', `The widget "${widget}" cannot hold a value of type ${types.join(' or ')}.`);
  }
  if (widget === 'lookup' && options?.lookup === undefined)
    source.report(at, 'missing-lookup', 'The widget "lookup" needs `ui:options.lookup`.');
  if ((widget === 'select' || widget === 'radio') && !schema.enum)
    source.report(at, 'missing-choices', `The widget "${widget}" needs an \`enum\` in the schema, or use "lookup".`);
  checkName(source, [...at, 'ui:options', 'lookup'], 'lookup', options?.lookup, known.lookups);
  const isMany = types.includes('array');
  if (widget === 'lookup' && isMany !== (options?.multiple === true)) {
    source.report(at, 'widget-type', isMany ? 'A list is chosen with `"multiple": true`.' : '`"multiple": true` needs a list.');
  }
  for (const [parameter, value] of Object.entries(options?.params ?? {})) {
    for (const [, field = ''] of value.matchAll(/\{(\w+)\}/g))
      checkName(source, [...at, 'ui:options', 'params', parameter], 'field', field, names);
  }
  const choices = [...(schema.enum ?? []), ...(schema.items?.enum ?? [])].map(String);
  for (const value of Object.keys(options?.labels ?? {})) {
    if (!choices.includes(value))
      source.report(
        [...at, 'ui:options', 'labels', value],
        'unknown-value',
        `"${value}" is no value of the field.${didYouMean(value, choices)}`,
        'key',
      );
  }
}

function checkFieldNames(context: Context): void {
  const { source, form, names } = context;
  Object.keys(form.fields ?? {}).forEach((name) => checkName(source, ['fields', name], 'field', name, names, 'key'));
  Object.keys(form.ui ?? {}).forEach((name) => checkName(source, ['ui', name], 'field', name, names, 'key'));
  (form.order ?? []).forEach((name, index) => checkName(source, ['order', index], 'field', name, names));
  for (const [from, name] of Object.entries(form.submit.errors?.fields ?? {}))
    checkName(source, ['submit', 'errors', 'fields', from], 'field', name, names);
  for (const [name, ui] of Object.entries(form.ui ?? {})) {
    const schema = Object.hasOwn(form.schema.properties, name) ? form.schema.properties[name] : undefined;
    if (schema) checkWidget(context, name, ui, schema);
  }
  const focused = Object.entries(form.ui ?? {}).filter(([, ui]) => ui['ui:autofocus']);
  focused
    .slice(1)
    .forEach(([name]) =>
      source.report(['ui', name, 'ui:autofocus'], 'two-autofocus', `The cursor starts in "${focused[0]?.[0] ?? ''}" already.`),
    );
}

type Wanted = Map<string, JsonPrimitive[]>;

/** Everything that must hold for a field to exist, its dependencies' own dependencies included; a string says why it never can. */
function conditionsOf(form: FormFile, name: string, trail: readonly string[] = []): Wanted | string {
  if (trail.includes(name)) return `it depends on itself: ${[...trail.slice(trail.indexOf(name)), name].join(' → ')}`;
  const wanted: Wanted = new Map();
  const depends = (form.fields && Object.hasOwn(form.fields, name) ? form.fields[name]?.depends : undefined) ?? {};
  for (const [other, values] of Object.entries(depends)) {
    const deeper = conditionsOf(form, other, [...trail, name]);
    if (typeof deeper === 'string') return deeper;
    for (const [field, allowed] of [...deeper, [other, values] as const]) {
      const left = (wanted.get(field) ?? allowed).filter((value) => allowed.includes(value));
      if (left.length === 0) return `"${field}" would have to hold two values at once`;
      wanted.set(field, left);
    }
  }
  return wanted;
}

function checkDepends({ source, form, names }: Context): void {
  for (const [name, rule] of Object.entries(form.fields ?? {})) {
    const at: JsonPath = ['fields', name, 'depends'];
    for (const [other, values] of Object.entries(rule.depends ?? {})) {
      checkName(source, [...at, other], 'field', other, names, 'key');
      const schema = Object.hasOwn(form.schema.properties, other) ? form.schema.properties[other] : undefined;
      if (!schema) continue;
      const accepts = compileBody(schema);
      values.forEach((value, index) => {
        if (accepts(value).length > 0)
          source.report(
            [...at, other, index],
            'unreachable-depends',
            `"${other}" can never be ${JSON.stringify(value)}: its schema refuses it.`,
          );
      });
    }
    const conditions = rule.depends ? conditionsOf(form, name) : undefined;
    if (typeof conditions === 'string') source.report(at, 'unreachable-depends', `The field "${name}" can never be shown: ${conditions}.`);
  }
}

function checkExamples({ source, form }: Context): void {
  let check: ReturnType<typeof compileBody>;
  try {
    check = compileBody(fieldsSchema(form));
  } catch (error) {
    source.report(['schema'], 'bad-schema', `The schema cannot be compiled: ${error instanceof Error ? error.message : String(error)}.`);
    return;
  }
  form.examples.forEach((example, index) => {
    for (const { source: field, message } of check(example)) {
      source.report(
        ['examples', index, ...(field?.split('.') ?? [])],
        'bad-example',
        `The example is refused${field === undefined ? '' : ` at "${field}"`}: ${message}`,
      );
    }
  });
}

/** Checks a form file of the right shape: names, texts, dependencies, patterns, bounds and examples. `id` is what its path says. */
export function checkFormFile(source: LintSource, form: FormFile, id: string, known: KnownNames): void {
  const context: Context = { source, form, names: Object.keys(form.schema.properties), known };
  if (form.id !== id) source.report(['id'], 'wrong-id', `The id must be "${id}", like the path of the file.`);
  if (form.permission !== 'public') checkName(source, ['permission'], 'permission', form.permission, known.permissions);
  for (const [name, rule] of Object.entries(form.fields ?? {}))
    checkName(source, ['fields', name, 'permission'], 'permission', rule.permission, known.permissions);
  checkName(source, ['help'], 'help', form.help, known.help);
  (form.submit.success.reload ?? []).forEach((name, index) =>
    checkName(source, ['submit', 'success', 'reload', index], 'resource', name, known.resources),
  );
  checkSchema(source, form.schema, ['schema'], true);
  checkFieldNames(context);
  checkDepends(context);
  checkTexts(context);
  checkExamples(context);
}
