import { createElement } from 'react';
import { getUiOptions, getWidget, type FieldProps } from '@rjsf/utils';

/** A widget that holds a whole object, or anything else that rjsf would take apart: `ui:widget` names it. */
export function ControlField(props: FieldProps) {
  const {
    schema,
    uiSchema,
    registry,
    fieldPathId,
    formData,
    name,
    required,
    disabled,
    readonly,
    autofocus,
    rawErrors,
    onChange,
    onBlur,
    onFocus,
  } = props;
  const { widget, title, placeholder = '', ...options } = getUiOptions(uiSchema, registry.globalUiOptions);
  return createElement(getWidget(schema, widget, registry.widgets), {
    id: fieldPathId.$id,
    name,
    htmlName: fieldPathId.name,
    label: title ?? schema.title ?? name,
    schema,
    uiSchema,
    options,
    value: formData,
    required,
    disabled,
    readonly,
    autofocus,
    placeholder,
    rawErrors,
    registry,
    onChange: (value) => onChange(value, fieldPathId.path),
    onBlur,
    onFocus,
  });
}
