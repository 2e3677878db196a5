import { buttonId, canExpand, type ObjectFieldTemplateProps } from '@rjsf/utils';
import { Fragment } from 'react';
import { layoutOf } from '../../../../../schemas/kit/form/form-layout.ts';
import { contextOf } from '../form-registry-context.ts';
import { keyOf } from '../../paths.ts';
import { wordsOf } from '../words.ts';
import { contentKey } from './content-key.ts';
import { FormLayout } from './FormLayout.tsx';
import { NodeBox } from './NodeBox.tsx';
import styles from '../theme.module.css';

/** The members of an object: the form's own in its sections, others under their title. */
export function ObjectFieldTemplate(props: ObjectFieldTemplateProps) {
  const { title, properties, fieldPathId, registry, uiSchema, schema, formData, onAddProperty, disabled, readonly, optionalDataControl } =
    props;
  const { form } = contextOf(registry).model.module;
  const { AddButton } = registry.templates.ButtonTemplates;
  // A choice between schemas draws the members of what is chosen by itself.
  const isOnlyChoice = (schema.oneOf ?? schema.anyOf) !== undefined && properties.length === 0;
  if (isOnlyChoice) return null;
  const more = canExpand(schema, uiSchema, formData) ? (
    <AddButton
      id={buttonId(fieldPathId, 'add')}
      className="rjsf-object-property-expand"
      disabled={disabled || readonly}
      onClick={onAddProperty}
      uiSchema={uiSchema}
      registry={registry}
    />
  ) : null;
  const { hint } = wordsOf(schema, uiSchema, registry);
  if (fieldPathId.path.length === 0) {
    return (
      <>
        {optionalDataControl}
        {hint ? <p className={styles.note}>{hint}</p> : null}
        <FormLayout form={form} properties={properties} registry={registry} />
        {more}
      </>
    );
  }
  const elsewhere = movedMembers(form, keyOf(fieldPathId.path));
  return (
    <NodeBox fieldPathId={fieldPathId} registry={registry} title={title} hint={hint} extra={optionalDataControl}>
      <div className={styles.grid}>
        {properties.map(({ name, content }) =>
          elsewhere.has(name) ? null : <Fragment key={contentKey(name, content)}>{content}</Fragment>,
        )}
      </div>
      {more}
    </NodeBox>
  );
}

/** The members of a group that a section of the form takes to itself. */
function movedMembers(form: Parameters<typeof layoutOf>[0], group: string): ReadonlySet<string> {
  const prefix = `${group}.`;
  const { sections } = layoutOf(form);
  return new Set(
    sections.flatMap(({ items }) =>
      items.flatMap((item) => (item.kind !== 'alert' && item.path.startsWith(prefix) ? [item.path.slice(prefix.length)] : [])),
    ),
  );
}
