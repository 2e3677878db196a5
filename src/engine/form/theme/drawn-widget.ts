import { getSchemaType, getUiOptions, resolveDefaultWidget, type Registry, type RJSFSchema, type UiSchema } from '@rjsf/utils';

/**
 * The name of the widget that rjsf draws a node with; `undefined` for one that is drawn of others (objects, lists, choices of schemas), or of
 * nothing at all.
 */
export function drawnWidget(schema: RJSFSchema, uiSchema: UiSchema | undefined, registry: Registry): string | undefined {
  const { widget, field } = getUiOptions(uiSchema, registry.globalUiOptions);
  if (field !== undefined) return field === 'ControlField' ? String(widget) : undefined;
  const { schemaUtils, widgets } = registry;
  const type = getSchemaType(schema);
  const isChoice = (schema.oneOf !== undefined || schema.anyOf !== undefined) && type !== 'boolean';
  if (isChoice && !schemaUtils.isSelect(schema)) return undefined;
  if (type === 'object') return undefined;
  if (type === 'array') {
    if (schemaUtils.isMultiSelect(schema)) return typeof widget === 'string' ? widget : 'multi-select';
    if (typeof widget === 'string' && widget !== 'hidden') return widget;
    return schemaUtils.isFilesArray(schema, uiSchema) ? 'files' : undefined;
  }
  if (typeof widget === 'string') return widget;
  if (type === 'boolean') return 'checkbox';
  if (type === 'string' || type === 'number' || type === 'integer') {
    const { defaultWidget } = resolveDefaultWidget(schema, uiSchema, schemaUtils, widgets);
    return typeof defaultWidget === 'string' ? defaultWidget : undefined;
  }
  return undefined;
}
