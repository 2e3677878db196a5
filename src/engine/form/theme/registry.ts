import ArrayField from '@rjsf/core/lib/components/fields/ArrayField.js';
import BooleanField from '@rjsf/core/lib/components/fields/BooleanField.js';
import CyclicSchemaField from '@rjsf/core/lib/components/fields/CyclicSchemaField.js';
import FallbackField from '@rjsf/core/lib/components/fields/FallbackField.js';
import NullField from '@rjsf/core/lib/components/fields/NullField.js';
import ObjectField from '@rjsf/core/lib/components/fields/ObjectField.js';
import OptionalDataControlsField from '@rjsf/core/lib/components/fields/OptionalDataControlsField.js';
import StringField from '@rjsf/core/lib/components/fields/StringField.js';
import FallbackFieldTemplate from '@rjsf/core/lib/components/templates/FallbackFieldTemplate.js';
import { createElement, lazy, Suspense, type ComponentType } from 'react';
import type { FieldProps, RegistryFieldsType, RegistryWidgetsType, TemplatesType } from '@rjsf/utils';
import './built-in-widgets.ts';
import { ChoiceField } from './ChoiceField.tsx';
import { ControlField } from './ControlField.tsx';
import { liveWidget } from './live-widget.tsx';
import { StoreSchemaField } from './StoreSchemaField.tsx';
import { ArrayFieldItemButtonsTemplate, ArrayFieldItemTemplate, ArrayFieldTemplate } from './templates/ArrayFieldTemplate.tsx';
import { ButtonTemplates } from './templates/buttons.tsx';
import { FieldTemplate } from './templates/FieldTemplate.tsx';
import { WrapIfAdditionalTemplate } from './templates/MemberTemplate.tsx';
import { ObjectFieldTemplate } from './templates/ObjectFieldTemplate.tsx';
import {
  CyclicSchemaExpandTemplate,
  GridTemplate,
  MultiSchemaFieldTemplate,
  Nothing,
  OptionalDataControlsTemplate,
  TitleFieldTemplate,
  UnsupportedFieldTemplate,
} from './templates/small-templates.tsx';
import { findWidget, widgetNames, type RegisteredWidget } from './widgets.ts';

/** A field that few forms have: its code comes with the first that does. */
function later(load: () => Promise<{ default: ComponentType<FieldProps> }>): ComponentType<FieldProps> {
  const Field = lazy(load);
  return (props) => createElement(Suspense, { fallback: null }, createElement(Field, props));
}

/** rjsf's own fields, with ours in place of what hands data to each. */
export const fields: RegistryFieldsType = {
  AnyOfField: ChoiceField,
  OneOfField: ChoiceField,
  ArrayField,
  BooleanField,
  CyclicSchemaField,
  FallbackField,
  NullField,
  // rjsf's own asks for the decimal separator of the language at each drawing; our control for numbers answers numbers anyway.
  NumberField: StringField,
  ObjectField,
  OptionalDataControlsField,
  SchemaField: StoreSchemaField,
  StringField,
  ControlField,
  LayoutGridField: later(() => import('@rjsf/core/lib/components/fields/LayoutGridField.js')),
  LayoutHeaderField: later(() => import('@rjsf/core/lib/components/fields/LayoutHeaderField.js')),
  LayoutMultiSchemaField: later(() => import('@rjsf/core/lib/components/fields/LayoutMultiSchemaField.js')),
};

/** How the parts of a form look. */
export const templates: TemplatesType = {
  ArrayFieldDescriptionTemplate: Nothing,
  ArrayFieldItemButtonsTemplate,
  ArrayFieldItemTemplate,
  ArrayFieldTemplate,
  ArrayFieldTitleTemplate: Nothing,
  BaseInputTemplate: Nothing,
  ButtonTemplates,
  CyclicSchemaExpandTemplate,
  DescriptionFieldTemplate: Nothing,
  ErrorListTemplate: Nothing,
  FallbackFieldTemplate,
  FieldErrorTemplate: Nothing,
  FieldHelpTemplate: Nothing,
  FieldTemplate,
  GridTemplate,
  MultiSchemaFieldTemplate,
  ObjectFieldTemplate,
  OptionalDataControlsTemplate,
  TitleFieldTemplate,
  UnsupportedFieldTemplate,
  WrapIfAdditionalTemplate,
};

const made = new Map<string, { from: RegisteredWidget; live: ReturnType<typeof liveWidget> }>();

/** The widgets as rjsf's registry takes them; the same component for the same registration. */
export function registeredWidgets(): RegistryWidgetsType {
  const widgets: RegistryWidgetsType = {};
  for (const name of widgetNames()) {
    const from = findWidget(name);
    if (!from) continue;
    const before = made.get(name);
    const live = before?.from === from ? before.live : liveWidget(from);
    made.set(name, { from, live });
    widgets[name] = live;
  }
  return widgets;
}
