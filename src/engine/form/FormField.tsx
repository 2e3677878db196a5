import { memo } from 'react';
import { fieldsOf, isAskedFor } from '../../../schemas/kit/form-fields.ts';
import { widgetOf } from '../../../schemas/kit/widget-of.ts';
import { useText } from '../../kernel/i18n/index.ts';
import { FieldFrame } from '../../ui/fields/FieldFrame.tsx';
import { useFieldErrors, useFieldValue, useForm } from './form-context.ts';
import { getFieldKind } from './kinds.ts';
import { useFieldLabel, useFieldMessage } from './field-texts.ts';
import styles from './form.module.css';
import type { FormField as Field } from '../../../schemas/kit/form-fields.ts';
import type { ErrorItem } from '../../../schemas/kit/types.ts';
import type { ControlAttributes } from '../../ui/fields/FieldFrame.tsx';

const NOTHING: readonly ErrorItem[] = [];

/** One field: label, hint and error around its control. Drawn again only when it becomes wrong or right; its control when its value changes. */
export const FormField = memo(function FormField({ path }: { path: string }) {
  const { model, idPrefix } = useForm();
  const text = useText();
  const { form } = model.module;
  const field = fieldsOf(form).get(path);
  const errors = useFieldErrors(path);
  const message = useFieldMessage(path);
  const label = useFieldLabel(form, path);
  if (!field) return null;
  const { ui, rule } = field;
  const { layout } = getFieldKind(widgetOf(field.schema, ui));
  if (layout === 'none') return null;
  return (
    <div className={styles.cell} data-width={ui['ui:width'] ?? 'full'} data-class={ui['ui:class']}>
      <FieldFrame
        id={`${idPrefix}-${path}`}
        label={label}
        hint={text(ui['ui:hint'])}
        subtext={[text(ui['ui:subtext']), text(rule.deprecated)].filter(Boolean).join(' ')}
        error={message}
        isInvalid={errors.length > 0}
        isRequired={isAskedFor(form, field)}
        layout={layout}
      >
        {(control) => <FieldControl field={field} label={label} control={control} errors={errors} />}
      </FieldFrame>
    </div>
  );
});

interface FieldControlProps {
  field: Field;
  label: string;
  control: ControlAttributes;
  errors: readonly ErrorItem[];
}

/** The control inside the frame: the field's kind, tied to the model. */
function FieldControl({ field: { path, schema, ui }, label, control, errors }: FieldControlProps) {
  const { model } = useForm();
  const value = useFieldValue(path);
  const { component: Kind } = getFieldKind(widgetOf(schema, ui));
  return (
    <Kind
      name={path}
      label={label}
      property={schema}
      ui={ui}
      value={value}
      errors={errors.length === 0 ? NOTHING : errors.map((item) => insideField(item, path))}
      control={control}
      onChange={(next) => model.setValue(path, next)}
      onBlur={() => model.leaveField(path)}
    />
  );
}

/** The item with its place inside the field: `rows.2.port` → `2.port` at the field `rows`, empty for the field as a whole. */
function insideField(item: ErrorItem, path: string): ErrorItem {
  return { ...item, source: (item.source ?? path).slice(path.length + 1) };
}
