import { fieldsOf } from '../../../schemas/kit/form-fields.ts';
import { widgetOf } from '../../../schemas/kit/widget-of.ts';
import { useT, useText, type Translate } from '../../kernel/i18n/index.ts';
import { useFieldErrors, useForm } from './form-context.ts';
import { findFieldKind } from './kinds.ts';
import { itemText } from './item-text.ts';
import type { ErrorItem, FormFile, Text } from '../../../schemas/kit/types.ts';
import type { FormModel } from './model.ts';

/** A field's own words: what the form says, else the text of `fields.<name>`. */
export function labelOf(form: FormFile, path: string): Text {
  const field = fieldsOf(form).get(path);
  return field?.ui['ui:label'] ?? `fields.${field?.name ?? path}`;
}

/** A field's label in the present language. */
export function useFieldLabel(form: FormFile, path: string): string {
  return useText()(labelOf(form, path));
}

/**
 * What is said at a field: everything the server says, and the first of our own rules that it breaks. Empty when it is only marked, or right.
 * The `frame` of a field whose kind shows what is wrong with its parts says only what is wrong with the whole.
 */
export function messageOf(model: FormModel, path: string, t: Translate, place: 'frame' | 'summary' = 'summary'): string {
  const { client, server } = model.field(path);
  const { schema = {}, ui } = fieldsOf(model.module.form).get(path) ?? {};
  const widget = widgetOf(schema, ui);
  const saysParts = place === 'frame' && findFieldKind(widget)?.showsPartErrors === true;
  const isSaidHere = ({ source }: ErrorItem) => !saysParts || source === undefined || source === path;
  return [...server.filter(isSaidHere), ...client.filter(isSaidHere).slice(0, 1)]
    .map((item) => itemText(item, widget, t))
    .filter(Boolean)
    .join(' ');
}

/** `messageOf`, kept up to date. */
export function useFieldMessage(path: string): string {
  const { model } = useForm();
  const t = useT();
  return useFieldErrors(path).length === 0 ? '' : messageOf(model, path, t, 'frame');
}
