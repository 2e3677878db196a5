import CoreSchemaField from '@rjsf/core/lib/components/fields/SchemaField.js';
import { deepEquals, type ErrorSchema, type FieldProps } from '@rjsf/utils';
import { memo, useEffect, useMemo, useReducer, useRef } from 'react';
import { fieldsOf, isAskedFor } from '../../../../schemas/kit/form/form-fields.ts';
import { nodeMessage } from '../field-texts.ts';
import { contextOf } from './form-registry-context.ts';
import { interestOf } from './schema-interest.ts';
import { drawnWidget } from './drawn-widget.ts';
import type { JsonValue } from '../../../../schemas/kit/form/types.ts';
import type { FormModel } from '../model-types.ts';
import type { Path } from '../paths.ts';
import type { NodeItems } from '../node-items.ts';
import type { NodeInterest } from './schema-interest.ts';

/** rjsf's choice of a type for a schema without one is no part of the data. */
const TYPE_SELECTOR = '__internal_type_selector';

/**
 * rjsf's SchemaField, fed from the form's store: what its parent passes as data and errors is ignored, so the parent need not be drawn when a field
 * changes. Drawn again when what its schema makes it care for changes, when it becomes wrong or right, comes or goes, or when what the parent says
 * of it (schema, uiSchema, required …) does.
 */
export function StoreSchemaField(props: FieldProps) {
  // A condition refuses this member.
  if (typeof props.schema === 'boolean') return null;
  return props.fieldPathId.path.at(-1) === TYPE_SELECTOR ? <CoreSchemaField {...props} /> : <Node {...props} />;
}

const NO_ERRORS: ErrorSchema = {};

const FROM_STORE = new Set(['formData', 'errorSchema', 'rawErrors']);
const BY_VALUE = new Set(['schema', 'uiSchema', 'fieldPathId', 'options']);

function isSameNode(before: FieldProps, after: FieldProps): boolean {
  const [one, two]: Record<string, unknown>[] = [before, after];
  return Object.keys({ ...one, ...two }).every(
    (name) => FROM_STORE.has(name) || one?.[name] === two?.[name] || (BY_VALUE.has(name) && deepEquals(one?.[name], two?.[name])),
  );
}

const Node = memo(function Node(props: FieldProps) {
  const { registry, fieldPathId, schema, uiSchema } = props;
  const { model, t } = contextOf(registry);
  const { path, $id } = fieldPathId;
  const key = useMemo(() => model.nameNode($id, path), [model, $id, path]);
  const interest = uiSchema?.['ui:field'] === undefined ? interestOf(schema, registry.rootSchema) : 'deep';
  const items = model.items(key);
  const value = model.valueAt(path);
  useNode(model, path, key, interest, { items, value });

  const errorSchema = useMemo((): ErrorSchema => {
    if (items.client.length === 0 && items.server.length === 0) return NO_ERRORS;
    // rjsf's type says that a node's members and its own errors are the same kind of thing, which no object can be.
    return { __errors: [nodeMessage(items, key, drawnWidget(schema, uiSchema, registry), t)] } as ErrorSchema;
  }, [items, key, schema, uiSchema, registry, t]);
  if (!model.isDrawn(key)) return null;
  const { form } = model.module;
  const field = fieldsOf(form).get(key);
  return (
    <CoreSchemaField {...props} required={field ? isAskedFor(form, field) : props.required} formData={value} errorSchema={errorSchema} />
  );
}, isSameNode);

/** Draws again as the node's interest and its errors ask for it. */
function useNode(
  model: FormModel,
  path: Path,
  key: string,
  interest: NodeInterest,
  drawn: { items: NodeItems; value: JsonValue | undefined },
): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const last = useRef(drawn);
  useEffect(() => void (last.current = drawn));
  useEffect(() => {
    const prefix = key === '' ? '' : `${key}.`;
    const ends = [model.listen('node', key, redraw)];
    if (interest === 'deep') ends.push(model.listen('deep', key, redraw));
    else if (interest !== 'leaf') ends.push(model.listen('whole', key, redraw));
    if (Array.isArray(interest)) for (const name of interest) ends.push(model.listen('deep', prefix + name, redraw));
    // It may have changed between drawing and listening.
    const { items, value } = last.current;
    if (model.items(key) !== items || (interest !== 'leaf' && !Object.is(model.valueAt(path), value))) redraw();
    return () => ends.forEach((end) => end());
  }, [model, path, key, interest]);
}
