import { sql } from 'kysely';
import { compileFormBody } from '../../../schemas/kit/form/compile-body.ts';
import {
  customFields,
  customSchema,
  MOST_CUSTOM_TEXT,
  type CustomField,
  type CustomValue,
  type CustomValues,
} from '../../../schemas/kit/devices/custom-fields.ts';
import type { ErrorItem, JsonSchema } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { idsOnPath } from '../../kernel/tenancy.ts';

/** A field with the company that added it. */
export type OwnedField = CustomField & { company_id: number };

/** The fields of a stored schema. */
export const readFields = (schema: string): CustomField[] => customFields(JSON.parse(schema) as JsonSchema);

/** The custom fields that devices of a company have, by its path: those of the companies above first. */
export async function fieldsOnPath(db: Db, companyPath: string): Promise<OwnedField[]> {
  const ids = idsOnPath(companyPath.slice(companyPath.indexOf('/')));
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('custom_fields').select(['company_id', 'schema']).where('company_id', 'in', ids).execute();
  const byCompany = new Map(rows.map((row) => [row.company_id, row.schema]));
  return ids.flatMap((id) => readFields(byCompany.get(id) ?? '{}').map((field) => ({ ...field, company_id: id })));
}

type Stored = Pick<Row<'device_custom_values'>, 'type' | 'text' | 'number'>;

function valueOf({ type, text, number }: Stored): CustomValue {
  if (type === 'number') return number ?? Number(text);
  return type === 'boolean' ? text === 'true' : text;
}

/** The condition that a value is of a company that the device belongs to, or of one above it. `v` is the value, `d` its device. */
export const isOnPath = sql<boolean>`exists (select 1 from companies as own inner join companies as giver on giver.id = v.company_id
  where own.id = d.company_id and substr(own.path, 1, length(giver.path)) = giver.path)`;

/** What the custom fields of devices hold, by device; only fields that there are. The caller has checked that the actor sees the devices. */
export async function readCustomValues(
  { reads, database }: Pick<Context, 'reads' | 'database'>,
  deviceIds: readonly number[],
): Promise<Map<number, CustomValues>> {
  const rows = await reads
    .selectFrom('device_custom_values as v')
    .innerJoin('devices as d', 'd.id', 'v.device_id')
    .select(['v.device_id', 'v.company_id', 'v.name', 'v.type', 'v.text', 'v.number'])
    .where('v.device_id', 'in', database.tools.idList(deviceIds))
    .where(isOnPath)
    .orderBy('v.name')
    .execute();
  if (rows.length === 0) return new Map();
  const givers = [...new Set(rows.map((row) => row.company_id))];
  const schemas = await reads.selectFrom('custom_fields').selectAll().where('company_id', 'in', givers).execute();
  const known = new Set(
    schemas.flatMap(({ company_id: id, schema }) => readFields(schema).map(({ name, type }) => `${id} ${name} ${type}`)),
  );
  const values = new Map<number, CustomValues>();
  for (const row of rows) {
    if (!known.has(`${row.company_id} ${row.name} ${row.type}`)) continue;
    values.set(row.device_id, { ...values.get(row.device_id), [row.name]: valueOf(row) });
  }
  return values;
}

const compiled = new Map<string, (data: unknown) => ReturnType<ReturnType<typeof compileFormBody>>>();
const MOST_COMPILED = 200;

/** A function that answers the faults of values against these fields, at `<source>.<name>`; none when they fit. */
export function customCheck(fields: readonly CustomField[]): (values: CustomValues, source: string) => (ErrorItem & { source: string })[] {
  const schema = customSchema(fields);
  const text = JSON.stringify(schema);
  const check = compiled.get(text) ?? compileFormBody(schema);
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  compiled.set(text, check);
  return (values, source) => check(values).map((item) => ({ ...item, source: item.source ? `${source}.${item.source}` : source }));
}

/** What is sent for custom fields. */
export type GivenValues = Readonly<Record<string, CustomValue | null>>;

/** The body rules of `custom`; whether values fit their fields is checked with the company at hand. */
export const customMember: Record<'custom', JsonSchema> = {
  custom: {
    type: 'object',
    maxProperties: 200,
    // Longer than a field holds, so that a text that is too long is named at its field.
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: 2 * MOST_CUSTOM_TEXT },
  },
};

/** `custom` of a form that is sent as parts, which are texts: each is read as its field has it. */
export const customTexts: Record<'custom', JsonSchema> = {
  custom: { type: 'object', maxProperties: 200, additionalProperties: { type: 'string', maxLength: 2 * MOST_CUSTOM_TEXT } },
};

/** The values that are sent without those that are none: null and empty texts. */
export function presentValues(given: GivenValues): CustomValues {
  const values: CustomValues = {};
  for (const [name, value] of Object.entries(given)) if (value !== null && value !== '') values[name] = value;
  return values;
}

function assertValid(fields: readonly CustomField[], values: CustomValues, source: string): void {
  const [first, ...rest] = customCheck(fields)(values, source);
  if (first) throw new InvalidFields([first, ...rest]);
}

const isSame = (a: CustomValues, b: CustomValues): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([name, value]) => Object.is(b[name], value));

/**
 * Gives the custom fields of a device these values and no others; null and an empty text are none. Answers all values before and after, undefined where
 * nothing changes. Values of removed fields stay as they are. Throws INVALID_FIELD at `<source>.<name>`.
 */
export async function putCustomValues(
  trx: Trx,
  device: { id: number; company_path: string },
  given: GivenValues,
  source: string,
): Promise<{ before: CustomValues; after: CustomValues } | undefined> {
  const fields = await fieldsOnPath(trx, device.company_path);
  const after = presentValues(given);
  assertValid(fields, after, source);
  const rows = await trx.selectFrom('device_custom_values').selectAll().where('device_id', '=', device.id).execute();
  const shown = rows.filter((row) => fields.some((field) => isOf(row, field)));
  const before: CustomValues = Object.fromEntries(shown.map((row) => [row.name, valueOf(row)]));
  if (isSame(before, after)) return undefined;
  for (const field of fields) await putValue(trx, device.id, field, after[field.name]);
  return { before, after };
}

const isOf = (row: Row<'device_custom_values'>, field: OwnedField): boolean =>
  row.company_id === field.company_id && row.name === field.name && row.type === field.type;

const storedOf = (type: CustomField['type'], value: CustomValue): Stored => ({
  type,
  text: String(value),
  number: typeof value === 'number' ? value : null,
});

const ROWS_AT_ONCE = 1000;

/** Stores what the custom fields of new devices hold. The values were checked against these fields. */
export async function insertCustomValues(
  trx: Trx,
  devices: readonly { id: number; fields: readonly OwnedField[]; values: CustomValues }[],
): Promise<void> {
  const rows = devices.flatMap(({ id, fields, values }) =>
    fields.flatMap(({ company_id, name, type }) => {
      const value = values[name];
      return value === undefined ? [] : [{ device_id: id, company_id, name, ...storedOf(type, value) }];
    }),
  );
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
    await trx
      .insertInto('device_custom_values')
      .values(rows.slice(start, start + ROWS_AT_ONCE))
      .execute();
}

async function putValue(trx: Trx, deviceId: number, { company_id, name, type }: OwnedField, value: CustomValue | undefined): Promise<void> {
  if (value === undefined) {
    await trx
      .deleteFrom('device_custom_values')
      .where('device_id', '=', deviceId)
      .where('company_id', '=', company_id)
      .where('name', '=', name)
      .execute();
    return;
  }
  const row = storedOf(type, value);
  await trx
    .insertInto('device_custom_values')
    .values({ device_id: deviceId, company_id, name, ...row })
    .onConflict((conflict) => conflict.columns(['device_id', 'company_id', 'name']).doUpdateSet(row))
    .execute();
}
