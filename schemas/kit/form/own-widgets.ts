import { isSchema } from './schema-parts.ts';
import type { FieldUi, FormFile, JsonSchema, WidgetName } from './types.ts';

/** Controls that mean something to the server too; react-jsonschema-form has none of these names, or means the same by it. */
export const OWN_WIDGETS: ReadonlySet<string> = new Set<WidgetName>([
  'lookup',
  'multi-select',
  'password',
  'file',
  'json',
  'time-range',
  'list-input',
  'table-input',
  'device-select',
  'permission-matrix',
  'rule',
  'task-values',
]);

function memberOf(node: unknown, name: string): unknown {
  return isSchema(node) && Object.hasOwn(node, name) ? Reflect.get(node, name) : undefined;
}

/** What a form's own `uiSchema` says at a path of names. */
export function uiNodeAt({ uiSchema }: Pick<FormFile, 'uiSchema'>, path: string): unknown {
  return path.split('.').reduce<unknown>(memberOf, uiSchema);
}

/** The widget that a node names, either way. */
function widgetIn(node: unknown): unknown {
  return memberOf(node, 'ui:widget') ?? memberOf(memberOf(node, 'ui:options'), 'widget');
}

/**
 * What the `uiSchema` of a form says of a field that the server has to know: one of our controls and its settings. Empty for what only looks
 * otherwise. A file inside a text (`data-url`) is drawn by rjsf and no upload.
 */
export function ownUiOf(form: Pick<FormFile, 'uiSchema'>, path: string, { format }: JsonSchema): FieldUi {
  const node = uiNodeAt(form, path);
  const widget = widgetIn(node) === 'PasswordWidget' ? 'password' : widgetIn(node);
  const options = memberOf(node, 'ui:options');
  const mask = memberOf(options, 'mask');
  const isOwn = typeof widget === 'string' && OWN_WIDGETS.has(widget) && !(widget === 'file' && format === 'data-url');
  return {
    ...(isOwn
      ? { 'ui:widget': widget as WidgetName, ...(isSchema(options) ? { 'ui:options': options as FieldUi['ui:options'] } : {}) }
      : {}),
    ...(typeof mask === 'string' ? { 'ui:mask': mask } : {}),
  };
}

// A password somewhere inside a schema or a uiSchema, in any of the ways to say so.
const PASSWORD = /"(?:format|ui:widget|widget)":"(?:password|PasswordWidget)"/;

/** Whether a part of a form may hold a password that is no field of its own: by its schema, its look, or what its references lead to. */
export function mayHoldPassword(form: FormFile, schema: JsonSchema, node: unknown): boolean {
  const own = JSON.stringify([schema, node]);
  const { definitions, $defs } = form.schema;
  const led = own.includes('"$ref"') ? JSON.stringify([definitions, $defs, form.uiSchema?.['ui:definitions']]) : '';
  return PASSWORD.test(own) || PASSWORD.test(led);
}
