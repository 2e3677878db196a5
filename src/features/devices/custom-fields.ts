import { CUSTOM_PREFIX, customNameOf, type CustomField } from '../../../schemas/kit/devices/custom-fields.ts';
import type { FilterEntry } from '../../../schemas/kit/resources/resource-types.ts';

/** Whether a column or filter is a custom field. */
export const isCustomKey = (key: string): boolean => customNameOf(key) !== undefined;

/** The columns of custom fields. */
export const customColumns = (fields: readonly CustomField[]) =>
  fields.map(({ name, title, type }) => ({
    key: CUSTOM_PREFIX + name,
    title,
    cell: 'custom-field',
    optional: true,
    sortable: true,
    width: 150,
    ...(type === 'number' ? { align: 'end' as const } : {}),
  }));

/** The filters of custom fields: values of a choice are chosen, others entered. */
export const customFilters = (fields: readonly CustomField[]): FilterEntry[] =>
  fields.map(({ name, title, type, choices = [] }): FilterEntry => {
    const common = { key: CUSTOM_PREFIX + name, title };
    if (type === 'choice') return { ...common, kind: 'enum', values: choices };
    return { ...common, kind: type === 'boolean' ? 'boolean' : 'text' };
  });
