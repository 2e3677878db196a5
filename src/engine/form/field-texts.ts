import { fieldsOf } from '../../../schemas/kit/form/form-fields.ts';
import { widgetOf } from '../../../schemas/kit/form/widget-of.ts';
import { itemText } from './item-text.ts';
import { findWidget } from './theme/widgets.ts';
import type { Translate } from '../../kernel/i18n/index.ts';
import type { ErrorItem, FormFile, Text } from '../../../schemas/kit/form/types.ts';
import type { FormModel } from './model-types.ts';
import type { NodeItems } from './node-items.ts';

/** A field's own words: what the form says, else its schema's title, else the text of `fields.<name>`. */
export function labelOf(form: FormFile, path: string): Text {
  const field = fieldsOf(form).get(path);
  return field?.ui['ui:label'] ?? field?.schema.title ?? `fields.${field?.name ?? path}`;
}

/**
 * What is said at a node: everything the server says, and the first of our own rules that it breaks. Empty when it is only marked, or right.
 * The frame of a widget that shows what is wrong with its parts says only what is wrong with the whole.
 */
export function nodeMessage({ client, server }: NodeItems, key: string, widget: string | undefined, t: Translate): string {
  const saysParts = widget !== undefined && findWidget(widget)?.showsPartErrors === true;
  const isSaidHere = ({ source }: ErrorItem) => !saysParts || source === undefined || source === key;
  return sentence([...server.filter(isSaidHere), ...client.filter(isSaidHere).slice(0, 1)], widget, t);
}

/** What the summary calls a node: the words on screen; its name where it has none. */
export function summaryLabel(model: FormModel, key: string, say: (text: Text) => string): string {
  const { form } = model.module;
  const shown = model.node(key)?.label;
  if (key === '') return shown || say(form.title);
  if (!fieldsOf(form).has(key) && shown) return shown;
  const label = labelOf(form, key);
  const words = say(label);
  // A key without a text is said as it is.
  return words === `fields.${key.split('.').at(-1)}` ? shown || (key.split('.').at(-1) ?? key) : words;
}

/** What the summary says of a node. */
export function summaryMessage(model: FormModel, key: string, t: Translate): string {
  const { client, server } = model.items(key);
  const field = fieldsOf(model.module.form).get(key);
  return sentence([...server, ...client.slice(0, 1)], field && widgetOf(field.schema, field.ui), t);
}

function sentence(items: readonly ErrorItem[], widget: string | undefined, t: Translate): string {
  return items
    .map((item) => itemText(item, widget, t))
    .filter(Boolean)
    .join(' ');
}
