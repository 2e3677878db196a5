import type { ComponentType } from 'react';
import type { RJSFSchema, WidgetProps } from '@rjsf/utils';
import type { Explanation } from '../../../../schemas/kit/form/explain-format.ts';
import type { ErrorItem, FieldUi, JsonSchema, JsonValue } from '../../../../schemas/kit/form/types.ts';
import type { ControlAttributes } from '../../../ui/index.ts';

/** What a widget is given: rjsf's own props and, for our controls, what ties them to label, hint and error. */
export interface FormWidgetProps extends WidgetProps {
  schema: RJSFSchema & JsonSchema;
  /** The value as it is this very moment. */
  value: JsonValue | undefined;
  /** Spread it on the control. */
  control: ControlAttributes;
  /** What is wrong with it; `source` is the place inside the value, such as `2.port`, or empty. The frame says the sentence, a widget with parts marks the part. */
  items: readonly ErrorItem[];
}

export interface WidgetTraits {
  /** As in `FieldFrame`; `none` draws nothing at all. `field` by default. */
  layout?: 'field' | 'group' | 'inline' | 'none';
  /** It wants the widest window that there is. */
  isWide?: boolean;
  /** It says itself what is wrong with its parts (`2.port`); the frame then says only what is wrong with the whole. */
  showsPartErrors?: boolean;
  /** A check that only this page can make: done together with the rules that the server has too, and shown before them. */
  check?: (value: JsonValue, field: { property: JsonSchema; ui: FieldUi }) => Explanation | undefined;
}

export interface RegisteredWidget extends WidgetTraits {
  component: ComponentType<FormWidgetProps>;
}

const widgets = new Map<string, RegisteredWidget>();

/** Makes a widget usable as `ui:widget`: a component with rjsf's `WidgetProps`. The last registration of a name wins. */
export function registerWidget(name: string, component: ComponentType<FormWidgetProps>, traits: WidgetTraits = {}): void {
  widgets.set(name, { component, ...traits });
}

/** The names that rjsf gives its widgets, by those that a form file says. */
const RJSF_NAMES: Readonly<Record<string, string>> = {
  TextWidget: 'text',
  EmailWidget: 'email',
  URLWidget: 'uri',
  PasswordWidget: 'password',
  TextareaWidget: 'textarea',
  UpDownWidget: 'updown',
  RangeWidget: 'range',
  SelectWidget: 'select',
  RadioWidget: 'radio',
  CheckboxWidget: 'checkbox',
  CheckboxesWidget: 'checkboxes',
  HiddenWidget: 'hidden',
  ColorWidget: 'color',
  DateWidget: 'date',
  DateTimeWidget: 'date-time',
  TimeWidget: 'time',
  AltDateWidget: 'date',
  AltDateTimeWidget: 'date-time',
  FileWidget: 'data-url',
  RatingWidget: 'rating',
};

/** The widget of that name, ours or rjsf's; `undefined` when nobody registered it. */
export function findWidget(name: string): RegisteredWidget | undefined {
  return widgets.get(name) ?? widgets.get(RJSF_NAMES[name] ?? '');
}

/** The names of all widgets, ours and rjsf's. */
export function widgetNames(): string[] {
  return [...widgets.keys(), ...Object.keys(RJSF_NAMES)];
}
