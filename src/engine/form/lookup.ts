import lookupsFile from '../../../schemas/lookups.json' with { type: 'json' };
import type { JsonValue, LookupEntry } from '../../../schemas/kit/form/types.ts';
import { hasText, translate } from '../../kernel/i18n/index.ts';
import type { ComboboxOption, ComboboxValue } from '../../ui/index.ts';
import type { FormData } from './prepare.ts';

/** How many options one fetch brings (docs/behaviour.md section 9). */
export const LOOKUP_PAGE = 100;

const lookups: Record<string, LookupEntry> = lookupsFile.lookups;

/** The entry of `lookups.json`; throws, naming it, when there is none. */
export function getLookup(name: string): LookupEntry {
  const entry = Object.hasOwn(lookups, name) ? lookups[name] : undefined;
  if (!entry) throw new Error(`No lookup named "${name}" in schemas/lookups.json.`);
  return entry;
}

/** An answer row as an option; `undefined` when it has no usable value. */
export function optionOf(entry: LookupEntry, row: Readonly<Record<string, unknown>>): ComboboxOption | undefined {
  const value = row[entry.value];
  if (!isComboboxValue(value)) return undefined;
  const key = entry.labelKey === undefined ? undefined : row[entry.labelKey];
  const label = typeof key === 'string' && hasText(key) ? translate(key) : row[entry.label];
  const given = entry.detail === undefined ? undefined : row[entry.detail];
  const detailKey = `${entry.detailTexts}.${String(given)}`;
  const detail = entry.detailTexts !== undefined && hasText(detailKey) ? translate(detailKey) : given;
  const color = entry.color === undefined ? undefined : row[entry.color];
  return {
    value,
    ...(typeof color === 'string' ? { color } : {}),
    label: typeof label === 'string' && label !== '' ? label : String(value),
    ...(typeof detail === 'string' && detail !== '' ? { detail } : {}),
  };
}

/** The fixed parameters of a lookup and those of the field, with `{other_field}` filled from the form; unfilled ones are left out. */
export function lookupParams(entry: LookupEntry, params: Record<string, string> = {}, data: FormData = {}): Record<string, string> {
  const filled: Record<string, string> = { ...entry.params };
  for (const [key, template] of Object.entries(params)) {
    // `{company_id}`
    const field = /^\{(\w+)\}$/.exec(template)?.[1];
    const value = field === undefined ? template : data[field];
    if (value !== undefined && value !== null && value !== '') filled[key] = String(value);
  }
  return filled;
}

/** The values that a lookup field holds, one or several. */
export function valuesOf(value: JsonValue | undefined): ComboboxValue[] {
  return (Array.isArray(value) ? value : [value]).filter(isComboboxValue);
}

function isComboboxValue(value: unknown): value is ComboboxValue {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}
