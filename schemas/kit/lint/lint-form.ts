import { compileFormBody } from '../form/compile-body.ts';
import { dataFaults } from '../form/data-faults.ts';
import { DEVICE_FEATURES } from '../devices/device-capabilities.ts';
import { withEntryFaults } from '../form/entry-faults.ts';
import { fieldsSchema } from '../form/enforced-schema.ts';
import { fieldsOf, MAX_GROUP_DEPTH, type FormField } from '../form/form-fields.ts';
import { checkDepends, checkDependsOn } from './lint-depends.ts';
import { checkName, type FormContext, type KnownNames } from './lint-names.ts';
import { checkSubmit } from './lint-submit.ts';
import { checkSchema } from './lint-schema.ts';
import { checkUiSchema } from './lint-ui-schema.ts';
import type { JsonPath, LintSource } from './lint-source.ts';
import { didYouMean } from './nearest.ts';
import { OWN_WIDGETS } from '../form/own-widgets.ts';
import { itemOf, partsOf } from '../form/schema-parts.ts';
import { hasTextFor, labelKeyOf, textsOfForm } from '../form/text-keys.ts';
import type { FormFile, Text, WidgetName } from '../form/types.ts';

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
  'permission-matrix': ['array'],
  rule: ['array'],
  'task-values': ['array'],
  'map-area': ['number'],
  group: ['object'],
  hidden: ['string', 'integer', 'number', 'boolean', 'array', 'object'],
};

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

function checkTexts({ source, form, fields, known: { texts }, isAdded }: FormContext): void {
  for (const { text, at } of textsOfForm(form)) checkText(source, text, at, texts);
  for (const { path, ui } of fields.values()) {
    const key = labelKeyOf(form, path);
    if (key === undefined || ui['ui:label'] !== undefined || ui['ui:widget'] === 'hidden') continue;
    // An added form may leave labels to its schema: a title, or the bare name.
    if (isAdded) continue;
    if (texts && !hasTextFor(key, texts))
      source.report(schemaPath(path), 'missing-text', `No English text for the label "${key}".${didYouMean(key, texts)}`, 'key');
  }
}

/** `address.city` → where its schema is in the file. */
function schemaPath(path: string): JsonPath {
  return ['schema', ...path.split('.').flatMap((name) => ['properties', name])];
}

function checkWidget({ source, names, known }: FormContext, { ui, schema }: FormField, at: JsonPath): void {
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
  checkName(source, [...at, 'ui:options', 'supports'], 'capability', options?.supports, DEVICE_FEATURES);
  checkName(source, [...at, 'ui:options', 'lookup'], 'lookup', options?.lookup, known.lookups);
  const isMany = types.includes('array');
  if (widget === 'lookup' && isMany !== (options?.multiple === true)) {
    source.report(at, 'widget-type', isMany ? 'A list is chosen with `"multiple": true`.' : '`"multiple": true` needs a list.');
  }
  for (const [parameter, value] of Object.entries(options?.params ?? {})) {
    for (const [, field = ''] of value.matchAll(/\{([\w.-]+)\}/g))
      checkName(source, [...at, 'ui:options', 'params', parameter], 'field', field, names);
  }
  const choices = [...(schema.enum ?? []), ...(itemOf(schema)?.enum ?? [])].map(String);
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

function checkFieldNames(context: FormContext): void {
  const { source, form, fields, names } = context;
  Object.keys(form.fields ?? {}).forEach((name) => checkName(source, ['fields', name], 'field', name, names, 'key'));
  Object.keys(form.ui ?? {}).forEach((name) => checkName(source, ['ui', name], 'field', name, names, 'key'));
  for (const [from, name] of Object.entries(form.submit.errors?.fields ?? {}))
    checkName(source, ['submit', 'errors', 'fields', from], 'field', name, names);
  for (const field of fields.values()) {
    if (Object.hasOwn(form.ui ?? {}, field.path)) checkWidget(context, field, ['ui', field.path]);
    else if (OWN_WIDGETS.has(field.ui['ui:widget'] ?? '')) checkWidget(context, field, ['uiSchema', ...field.path.split('.')]);
    if (!context.isAdded && field.isGroup && field.path.split('.').length > MAX_GROUP_DEPTH)
      source.report(schemaPath(field.path), 'too-deep', `Groups stand at most ${MAX_GROUP_DEPTH} deep.`, 'key');
  }
  const focused = Object.entries(form.ui ?? {}).filter(([, ui]) => ui['ui:autofocus']);
  focused
    .slice(1)
    .forEach(([name]) =>
      source.report(['ui', name, 'ui:autofocus'], 'two-autofocus', `The cursor starts in "${focused[0]?.[0] ?? ''}" already.`),
    );
}

function checkExamples({ source, form }: FormContext): void {
  let check: ReturnType<typeof compileFormBody>;
  try {
    check = compileFormBody(fieldsSchema(form));
  } catch (error) {
    if (source.problems.some(({ code }) => code === 'reference')) return;
    source.report(['schema'], 'bad-schema', `The schema cannot be compiled: ${error instanceof Error ? error.message : String(error)}.`);
    return;
  }
  form.examples.forEach((example, index) => {
    for (const { source: field, message } of [...dataFaults(example), ...withEntryFaults(form, example, check(example))]) {
      source.report(
        ['examples', index, ...(field?.split('.') ?? [])],
        'bad-example',
        `The example is refused${field === undefined ? '' : ` at "${field}"`}: ${message}`,
      );
    }
  });
}

/** Checks what hangs on the whole of the schema: that it is an object where something is put beside its fields, and where its references lead. */
function checkRoot({ source, form, fields, isAdded }: FormContext): void {
  const { schema, submit } = form;
  const isPlain = schema.type === 'object' && schema.properties !== undefined;
  if (!isPlain && !isAdded) source.report(['schema'], 'wrong-type', 'The schema must be of type object, with properties.');
  if (schema.type !== 'object' && (submit.payload === 'devices' || submit.encoding === 'multipart'))
    source.report(['schema'], 'wrong-type', 'Devices and files stand beside fields: such a form needs a schema of type object.');
  const hidden = [...fields.values()].filter(({ rule }) => rule.permission !== undefined);
  if (hidden.length === 0) return;
  for (const { schema: part, at } of partsOf(schema, ['schema'])) {
    if (part.$ref?.startsWith('#/properties/'))
      source.report([...at, '$ref'], 'reference', 'A form with fields that need a permission refers to "#/definitions/…" only.');
  }
}

/** Checks a form file of the right shape: names, texts, dependencies, patterns, bounds and examples. `id` is what its path says. */
export function checkFormFile(source: LintSource, form: FormFile, id: string, known: KnownNames): void {
  const fields = fieldsOf(form);
  const isAdded = known.forms !== undefined;
  const context: FormContext = { source, form, fields, names: [...fields.keys()], known, isAdded };
  if (form.id !== id) source.report(['id'], 'wrong-id', `The id must be "${id}", like the path of the file.`);
  if (form.permission !== 'public' && form.permission !== 'signed-in')
    checkName(source, ['permission'], 'permission', form.permission, known.permissions);
  for (const [name, rule] of Object.entries(form.fields ?? {}))
    checkName(source, ['fields', name, 'permission'], 'permission', rule.permission, known.permissions);
  checkName(source, ['help'], 'help', form.help, known.help);
  (form.submit.success.reload ?? []).forEach((name, index) =>
    checkName(source, ['submit', 'success', 'reload', index], 'resource', name, known.resources),
  );
  checkSchema(source, form.schema, ['schema'], true, isAdded);
  checkRoot(context);
  checkFieldNames(context);
  checkUiSchema(context);
  checkPlaces(context);
  checkSubmit(context);
  checkDepends(context);
  checkTexts(context);
  checkExamples(context);
}

/** Checks where a form's fields and messages stand: `order` and `sections` name what there is, each once, and messages can be shown. */
export function checkPlaces(context: FormContext): void {
  const { source, form, fields, names, known } = context;
  const alerts = Object.keys(form.alerts ?? {});
  const placeable = [...names, ...alerts];
  (form.order ?? []).forEach((name, index) => checkName(source, ['order', index], 'field', name, placeable));
  const sections = new Map<string, number>();
  (form.sections ?? []).forEach((section, index) =>
    section.fields.forEach((name, position) => {
      const at = ['sections', index, 'fields', position];
      checkName(source, at, 'field', name, placeable);
      const before = sections.get(name);
      if (before !== undefined) source.report(at, 'repeated-place', `"${name}" is already in section ${before + 1}.`);
      else sections.set(name, index);
    }),
  );
  for (const [name, alert] of Object.entries(form.alerts ?? {})) {
    if (fields.has(name))
      source.report(['alerts', name], 'repeated-name', `"${name}" is a field; a message needs a name of its own.`, 'key');
    checkName(source, ['alerts', name, 'permission'], 'permission', alert.permission, known.permissions);
    checkDependsOn(context, ['alerts', name, 'depends'], alert.depends);
  }
}
