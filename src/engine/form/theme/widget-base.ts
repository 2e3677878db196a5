import type { ControlAttributes } from '../../../ui/index.ts';
import type { FormWidgetProps } from './widgets.ts';

export type WidgetBase = ControlAttributes & { hasAutofocus: boolean; disabled: boolean; onBlur: () => void };

/** What each of our controls takes from a widget's props, whatever its value is. */
export function baseOf({ control, autofocus = false, disabled, readonly, onBlur, id, value }: FormWidgetProps): WidgetBase {
  return { ...control, hasAutofocus: autofocus, disabled: disabled === true || readonly === true, onBlur: () => onBlur(id, value) };
}

/** A value as a text control shows it. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
