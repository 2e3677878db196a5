import { ADDITIONAL_PROPERTY_FLAG, getSchemaType, getTemplate, getUiOptions, type FieldTemplateProps } from '@rjsf/utils';
import { createElement, useLayoutEffect } from 'react';
import { cx, FieldFrame } from '../../../../ui/index.ts';
import { keyOf } from '../../paths.ts';
import { drawnWidget } from '../drawn-widget.ts';
import { contextOf } from '../form-registry-context.ts';
import { findWidget } from '../widgets.ts';
import { elementId, wordsOf } from '../words.ts';
import styles from '../theme.module.css';

const TYPES = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'null', 'object', 'array']);

const NO_ERRORS: string[] = [];

/** The cell of one node: label, hint and error around its control; an object, a list and a choice of schemas draw their own. */
export function FieldTemplate(props: FieldTemplateProps) {
  const { id, fieldPathId, label, hidden, classNames, style, children, uiSchema, schema, registry } = props;
  const { model } = contextOf(registry);
  const key = keyOf(fieldPathId.path);
  useLayoutEffect(() => model.mount(key, { id: elementId(id), label }), [model, key, id, label]);
  const widget = drawnWidget(schema, uiSchema, registry);
  if (hidden || (widget !== undefined && findWidget(widget)?.layout === 'none')) return null;
  const { width = 'full' } = getUiOptions(uiSchema, registry.globalUiOptions);
  const cell = (
    <div className={cx(styles.cell, classNames)} style={style} data-width={width}>
      {isBox(props, widget) ? children : <Framed {...props} widget={widget} />}
    </div>
  );
  if (!(ADDITIONAL_PROPERTY_FLAG in schema)) return cell;
  return createElement(getTemplate('WrapIfAdditionalTemplate', registry, getUiOptions(uiSchema)), props, cell);
}

/** Whether the node draws its label by itself. */
function isBox({ schema, uiSchema }: FieldTemplateProps, widget: string | undefined): boolean {
  if (widget !== undefined) return false;
  const type = getSchemaType(schema);
  return (
    type === 'object' ||
    type === 'array' ||
    schema.oneOf !== undefined ||
    schema.anyOf !== undefined ||
    uiSchema?.['ui:field'] !== undefined
  );
}

function Framed({
  id,
  label,
  required,
  rawErrors = NO_ERRORS,
  children,
  schema,
  uiSchema,
  registry,
  widget,
}: FieldTemplateProps & { widget: string | undefined }) {
  const { hint, subtext } = wordsOf(schema, uiSchema, registry);
  const { label: hasLabel = true } = getUiOptions(uiSchema, registry.globalUiOptions);
  const layout = widget === undefined ? 'group' : (findWidget(widget)?.layout ?? 'field');
  // A type that rjsf does not know is drawn as a choice of types, which are controls with labels of their own.
  if (widget === undefined && !TYPES.has(getSchemaType(schema))) {
    return (
      <fieldset className={styles.group}>
        <legend className={styles.legend}>{label}</legend>
        {children}
      </fieldset>
    );
  }
  return (
    <FieldFrame
      id={elementId(id)}
      label={label}
      hint={hint}
      subtext={subtext}
      error={rawErrors.filter((message) => message !== '').join(' ')}
      isInvalid={rawErrors.length > 0}
      isRequired={required}
      layout={layout === 'none' || hasLabel === false ? 'inline' : layout}
    >
      {() => children}
    </FieldFrame>
  );
}
