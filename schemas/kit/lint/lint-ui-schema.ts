import type { FormContext } from './lint-names.ts';
import { isSchema, itemOf, type JsonPath } from '../form/schema-parts.ts';
import type { JsonSchema } from '../form/types.ts';

function checkOrder({ source }: FormContext, node: object, schema: JsonSchema, at: JsonPath): void {
  const order: unknown = Reflect.get(node, 'ui:order');
  if (!Array.isArray(order) || order.includes('*')) return;
  const left = Object.keys(schema.properties ?? {}).filter((name) => !order.includes(name));
  if (left.length > 0)
    source.report([...at, 'ui:order'], 'missing-order', `The order leaves out ${left.join(', ')}: name them, or "*" for the others.`);
}

function checkNode(context: FormContext, node: unknown, schema: JsonSchema, at: JsonPath): void {
  if (!isSchema(node)) return;
  checkOrder(context, node, schema, at);
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    checkNode(context, Reflect.get(node, name), property, [...at, name]);
  const item = itemOf(schema);
  if (item) checkNode(context, Reflect.get(node, 'items'), item, [...at, 'items']);
}

/** Checks what a meta-schema cannot of a form's own `uiSchema`: that an order has a place for every field, which rjsf asks for. */
export function checkUiSchema(context: FormContext): void {
  checkNode(context, context.form.uiSchema, context.form.schema, ['uiSchema']);
}
