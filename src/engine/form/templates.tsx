import { use } from 'react';
import { useText } from '../../kernel/i18n/index.ts';
import { FieldFrame } from '../../ui/fields/FieldFrame.tsx';
import { FieldContext, useFieldState, useForm } from './form-context.ts';
import { itemText } from './item-text.ts';
import { fieldKindNames, getFieldKind } from './kinds.ts';
import { widgetOf } from './prepare.ts';
import styles from './form.module.css';
import type { FieldTemplateProps, ObjectFieldTemplateProps, RegistryWidgetsType, TemplatesType } from '@rjsf/utils';
import type { FieldUi, FormFile } from '../../../schemas/kit/types.ts';

/*
 * How @rjsf is used: it walks the schema and picks the component of each field. What a field holds and what is wrong with it stands in
 * the form's model (model.ts), which each field follows by itself, so @rjsf neither validates nor carries errors here.
 */

/** A field's own words: what the form says, else the text of `fields.<name>`. */
export function useFieldLabel(): (form: FormFile, name: string) => string {
  const text = useText();
  return (form, name) => text(form.ui?.[name]?.['ui:label'] ?? `fields.${name}`);
}

/** Draws label, hint and error around the control of a field of the form's first level; deeper levels draw themselves. */
function FieldTemplate({ fieldPathId, required, children }: FieldTemplateProps) {
  const name = fieldPathId.path.length === 1 ? fieldPathId.path[0] : undefined;
  return typeof name === 'string' ? (
    <TopField name={name} isRequired={required ?? false}>
      {children}
    </TopField>
  ) : (
    children
  );
}

function TopField({ name, isRequired, children }: { name: string; isRequired: boolean; children: React.ReactNode }) {
  const { model, idPrefix } = useForm();
  const text = useText();
  const state = useFieldState(name);
  const { form } = model.module;
  const label = useFieldLabel()(form, name);
  const property = form.schema.properties[name] ?? {};
  const ui: FieldUi = form.ui?.[name] ?? {};
  const widget = widgetOf(property, ui);
  const kind = getFieldKind(widget);
  if (kind.layout === 'none') return null;
  const messages = [...state.server, ...(state.client ? [state.client] : [])]
    .map((item) => itemText(item, widget))
    .filter((message) => message !== '');
  return (
    <div className={styles.cell} data-width={ui['ui:width'] ?? 'full'}>
      <FieldFrame
        id={`${idPrefix}-${name}`}
        label={label}
        hint={text(ui['ui:hint'])}
        subtext={text(ui['ui:subtext'])}
        error={messages.join(' ')}
        isInvalid={state.server.length > 0 || state.client !== undefined}
        isRequired={isRequired}
        layout={kind.layout}
      >
        {(control) => <FieldContext value={{ name, label, control }}>{children}</FieldContext>}
      </FieldFrame>
    </div>
  );
}

/** The control inside the frame: the field kind, tied to the model. */
function FieldControl() {
  const { model } = useForm();
  const context = use(FieldContext);
  if (!context) throw new Error('A field control stands outside of its frame.');
  const { name, label, control } = context;
  const { value } = useFieldState(name);
  const { form } = model.module;
  const property = form.schema.properties[name] ?? {};
  const ui: FieldUi = form.ui?.[name] ?? {};
  const { component: Kind } = getFieldKind(widgetOf(property, ui));
  return (
    <Kind
      name={name}
      label={label}
      property={property}
      ui={ui}
      value={value}
      control={control}
      onChange={(next) => model.setValue(name, next)}
      onBlur={() => model.leaveField(name)}
    />
  );
}

function ObjectFieldTemplate({ properties }: ObjectFieldTemplateProps) {
  return <div className={styles.grid}>{properties.map((property) => property.content)}</div>;
}

/** Our templates for @rjsf. */
export const templates: Partial<TemplatesType> = { FieldTemplate, ObjectFieldTemplate };

/** Every registered kind as a widget of @rjsf; all are the same component, which finds its kind by the field's name. */
export function rjsfWidgets(): RegistryWidgetsType {
  return Object.fromEntries(fieldKindNames().map((name) => [name, FieldControl]));
}
