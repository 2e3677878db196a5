import { currentLanguage, hasText, textOf, translate } from '../../kernel/i18n/index.ts';
import type { ActionEntry, ColumnEntry } from '../../../schemas/kit/resources/resource-types.ts';
import type { Resource } from '../resources/resource.ts';

/** The words for a field: `fields.<entity>.<key>`, else what the field is called everywhere (`fields.<key>`). */
export function fieldLabel(resource: Resource, key: string): string {
  const own = `fields.${resource.entity}.${key}`;
  return translate(hasText(own) ? own : `fields.${key}`);
}

/** What a column or filter is called: as people named it, or what its field is called. */
export const columnLabel = (resource: Resource, { key, title }: Pick<ColumnEntry, 'key' | 'title'>): string =>
  title ?? fieldLabel(resource, key);

/** The words for one value of a field with a fixed list of values: `values.<entity>.<key>.<value>`, else `values.<key>.<value>`, else the value itself. */
export function valueLabel(resource: Resource, key: string, value: unknown): string {
  const text = value === null ? 'none' : String(value);
  const keys = [`values.${resource.entity}.${key}.${text}`, `values.${key}.${text}`];
  const known = keys.find(hasText);
  return known ? translate(known) : text;
}

/** What a resource is called: its records as a title ("Devices"). */
export function resourceTitle(resource: Resource): string {
  return translate(`resources.${resource.name}.title`);
}

/** What an action is called. */
export function actionLabel({ id, title }: Pick<ActionEntry, 'id' | 'title'>): string {
  return title === undefined ? translate(`actions.${id}`) : textOf(title);
}

/** Why an action does not apply: its own words (`actions.<id>.rule`), else "Only when Status is Online"; empty for an action without a rule. */
export function ruleText(resource: Resource, action: ActionEntry): string {
  const own = `actions.${action.id}.rule`;
  if (hasText(own)) return translate(own);
  if (!action.when) return '';
  const values = action.when.in.map((value) => valueLabel(resource, action.when?.field ?? '', value));
  return translate('table.onlyWhen', { field: fieldLabel(resource, action.when.field), values: joinOr(values) });
}

/** A list in words: "a, b or c". */
export function joinOr(words: readonly string[]): string {
  return new Intl.ListFormat(currentLanguage(), { type: 'disjunction' }).format(words);
}
