import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import { customNameOf } from '../../../schemas/kit/devices/custom-fields.ts';
import { isOnPath } from '../../domain/devices/custom-fields.ts';
import { containsText, textKey, type ListColumns } from '../../kernel/apply-list-query.ts';
import type { FilterRule, ListRules } from '../../kernel/list-query.ts';

// Not negatable: a name that is mistyped would match every device.
const RULE: FilterRule = { kind: 'text', isNegatable: false };

/** The rule of a custom field as a filter: `custom.asset_number`. */
export const customRule: ListRules['open'] = (key) => (customNameOf(key) === undefined ? undefined : RULE);

/** The present value of a field for the device of the query around it. */
const valueIn = (name: string, column: 'text' | 'number'): RawBuilder<unknown> =>
  sql`(select ${sql.ref(`v.${column}`)} from device_custom_values as v inner join devices as d on d.id = v.device_id
    where v.device_id = devices.id and v.name = ${name} and ${isOnPath} limit 1)`;

/** The value of a field as a column of a file. */
export const customExport = (name: string): RawBuilder<unknown> => valueIn(name, 'text');

/** All values of a device as one text: `asset_number: 12; owner: Kari`. */
export const customText = (): RawBuilder<unknown> =>
  sql`(select string_agg(v.name || ': ' || v.text, '; ' order by v.name) from device_custom_values as v
    inner join devices as d on d.id = v.device_id where v.device_id = devices.id and ${isOnPath})`;

// `>=12.5`, `<2026-01-01`
const COMPARED = /^(>=|<=|>|<)\s*(.+)$/;
const OPERATORS: Record<string, RawBuilder<unknown>> = { '>': sql`>`, '<': sql`<`, '>=': sql`>=`, '<=': sql`<=` };

/** One value of a filter: texts contain it, others are it; numbers and dates may be compared. */
function isValue(value: string): RawBuilder<SqlBool> {
  const [, sign = '', rest = ''] = COMPARED.exec(value) ?? [];
  const operator = OPERATORS[sign];
  if (operator) {
    const number = Number(rest);
    const isLess = sql`(v.type = 'date' and v.text ${operator} ${rest})`;
    return Number.isFinite(number) ? sql`((v.type = 'number' and v.number ${operator} ${number}) or ${isLess})` : sql`${isLess}`;
  }
  const number = Number(value);
  const isNumber = value.trim() !== '' && Number.isFinite(number) ? sql`v.number = ${number}` : sql`1 = 0`;
  return sql`((v.type = 'text' and ${containsText([sql.ref('v.text')], value)})
    or (v.type = 'number' and ${isNumber}) or (v.type not in ('text', 'number') and v.text = ${value}))`;
}

function holds(name: string, values: readonly string[]): Expression<SqlBool> {
  const any = sql`select v.device_id from device_custom_values as v inner join devices as d on d.id = v.device_id where v.name = ${name} and ${isOnPath}`;
  const parts = values.map((value) => {
    if (value === 'is_null') return sql`devices.id not in (${any})`;
    return value === 'not_null' ? sql`devices.id in (${any})` : sql`devices.id in (${any} and ${isValue(value)})`;
  });
  return sql<SqlBool>`(${sql.join(parts, sql` or `)})`;
}

/** A custom field in the list of devices. Numbers are sorted as such, and before texts of the same name. */
export const customColumn: ListColumns['open'] = (key) => {
  const name = customNameOf(key);
  if (name === undefined) return undefined;
  return {
    sort: { by: valueIn(name, 'number'), then: textKey(valueIn(name, 'text')), isNullable: true },
    filter: (values) => holds(name, values),
  };
};
