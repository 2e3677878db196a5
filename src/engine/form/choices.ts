import { useMemo } from 'react';
import { useText } from '../../kernel/i18n/index.ts';
import type { FieldUi, JsonPrimitive, JsonSchema } from '../../../schemas/kit/types.ts';
import type { Choice } from '../../ui/fields/SelectField.tsx';

/** The values that a property allows, with their words. */
export function useChoices(property: JsonSchema, ui: FieldUi): Choice<JsonPrimitive>[] {
  const text = useText();
  const labels = ui['ui:options']?.labels;
  return useMemo(
    () => (property.enum ?? []).map((value) => ({ value, label: text(labels?.[String(value)]) || String(value) })),
    [property.enum, labels, text],
  );
}
