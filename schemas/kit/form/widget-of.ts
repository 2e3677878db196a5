import type { FieldUi, JsonSchema, WidgetName } from './types.ts';

/** The kind of field that draws a property: what the form says, else what fits its type. */
export function widgetOf(property: JsonSchema, ui: FieldUi | undefined): WidgetName {
  if (ui?.['ui:widget']) return ui['ui:widget'];
  if (property.enum) return 'select';
  const type = Array.isArray(property.type) ? property.type[0] : property.type;
  if (type === 'boolean') return 'checkbox';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') return 'multi-select';
  return 'text';
}
