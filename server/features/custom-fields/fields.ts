import { sql } from 'kysely';
import { customSchema, isCustomName, type CustomField } from '../../../schemas/kit/devices/custom-fields.ts';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Trx } from '../../db/schema.ts';
import { fieldsOnPath, readFields } from '../../domain/devices/custom-fields.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { isVisible, pathEnd, requireCompany } from '../../kernel/tenancy.ts';

/** The most fields that the devices of a company may have, those of the companies above counted. */
const MOST_FIELDS = 60;

/** Values of fields that there are no more, by name. */
interface KeptValues {
  name: string;
  devices_count: number;
}

/** Fields of companies at and below a path, by company. */
async function fieldsBelow(db: Db, path: string): Promise<{ company: string; fields: CustomField[] }[]> {
  const rows = await db
    .selectFrom('custom_fields')
    .innerJoin('companies', 'companies.id', 'custom_fields.company_id')
    .select(['companies.name', 'custom_fields.schema'])
    .where('companies.path', '>', path)
    .where('companies.path', '<', pathEnd(path))
    .execute();
  return rows.map(({ name, schema }) => ({ company: name, fields: readFields(schema) }));
}

/** Values that the devices of a company keep for fields of its own that were removed. */
async function readKept(db: Db, companyId: number, fields: readonly CustomField[]): Promise<KeptValues[]> {
  const rows = await db
    .selectFrom('device_custom_values')
    .select(['name', 'type', sql<number>`count(*)`.as('devices_count')])
    .where('company_id', '=', companyId)
    .groupBy(['name', 'type'])
    .orderBy('name')
    .execute();
  const gone = rows.filter(({ name, type }) => !fields.some((field) => field.name === name && field.type === type));
  return [...Map.groupBy(gone, ({ name }) => name)].map(([name, kinds]) => ({
    name,
    devices_count: kinds.reduce((sum, { devices_count: count }) => sum + count, 0),
  }));
}

/** The custom fields of a company: its own, those of the companies above, and the values that are kept of removed ones. Throws NOT_FOUND. */
export async function getFields(ctx: Context, actor: Actor, companyId: number) {
  const company = await requireCompany(ctx.reads, actor, companyId);
  const all = await fieldsOnPath(ctx.reads, company.path);
  const fields = all.flatMap(({ company_id: id, ...field }) => (id === companyId ? [field] : []));
  return {
    id: companyId,
    name: company.name,
    fields,
    inherited: all.flatMap(({ company_id: id, ...field }) => (id === companyId ? [] : [field])),
    kept: await readKept(ctx.reads, companyId, fields),
    schema: customSchema(all),
  };
}

/** The custom fields of a device, with their JSON Schema. Throws NOT_FOUND. */
export async function getFieldsOfDevice(ctx: Context, actor: Actor, deviceId: number) {
  const device = await requireDevice(ctx.reads, actor, deviceId);
  const { path } = await requireCompany(ctx.reads, actor, device.company_id);
  const fields = (await fieldsOnPath(ctx.reads, path)).map(({ company_id: _company, ...field }) => field);
  return { fields, schema: customSchema(fields) };
}

/** The custom fields that devices in sight can have; one that several companies have by the same name is there once. */
export async function listFields(ctx: Context, actor: Actor): Promise<CustomField[]> {
  const above = actor.scope === 'all' ? [] : await fieldsOnPath(ctx.reads, actor.companyPath);
  const rows = await ctx.reads
    .selectFrom('custom_fields')
    .innerJoin('companies', 'companies.id', 'custom_fields.company_id')
    .select('custom_fields.schema')
    .where(isVisible(actor, 'companies'))
    .orderBy('companies.path')
    .execute();
  const byName = new Map<string, CustomField>();
  for (const { company_id: _company, required: _required, ...field } of [
    ...above,
    ...rows.flatMap(({ schema }) => readFields(schema).map((field) => ({ ...field, company_id: 0 }))),
  ]) {
    const known = byName.get(field.name);
    if (!known) byName.set(field.name, field);
    else if (known.type === 'choice' && field.type === 'choice')
      known.choices = [...new Set([...(known.choices ?? []), ...(field.choices ?? [])])];
    else if (known.type !== field.type) byName.set(field.name, { name: known.name, title: known.title, type: 'text' });
  }
  return [...byName.values()];
}

interface Fault {
  source: string;
  message: string;
  params: NonNullable<ErrorItem['params']>;
}

const at = (index: number, name: string, key: string, message: string, params: Fault['params'] = {}): Fault => ({
  source: `fields.${index}.${name}`,
  message,
  params: { ...params, key: `forms.companies.custom-fields.${key}` },
});

/** Throws INVALID_FIELD at each field that cannot be: a name that is taken here, above or below, a choice without choices, choices of something else. */
async function assertFit(trx: Trx, company: { id: number; path: string }, fields: readonly CustomField[]): Promise<void> {
  const above = (await fieldsOnPath(trx, company.path)).filter(({ company_id: id }) => id !== company.id);
  const below = await fieldsBelow(trx, company.path);
  const items = fields.flatMap((field, index): Fault[] => {
    const { name, type, choices = [] } = field;
    if (!isCustomName(name)) return [at(index, 'name', 'name_odd', 'Use another name.')];
    if (fields.findIndex((other) => other.name === name) < index) return [at(index, 'name', 'name_twice', 'This name is there twice.')];
    if (above.some((other) => other.name === name)) return [at(index, 'name', 'name_above', 'A company above has a field with this name.')];
    const taker = below.find((one) => one.fields.some((other) => other.name === name));
    if (taker) return [at(index, 'name', 'name_below', `${taker.company} has a field with this name.`, { company: taker.company })];
    if (type === 'choice' && choices.length === 0) return [at(index, 'choices', 'choices_missing', 'Enter at least one choice.')];
    if (type !== 'choice' && choices.length > 0) return [at(index, 'choices', 'choices_odd', 'Only a choice has choices.')];
    return [];
  });
  const deepest = Math.max(0, ...below.map((one) => one.fields.length));
  if (above.length + fields.length + deepest > MOST_FIELDS)
    items.push({
      source: 'fields',
      message: `The devices of a company have at most ${MOST_FIELDS} custom fields.`,
      params: { max: MOST_FIELDS, key: 'forms.companies.custom-fields.too_many' },
    });
  const [first, ...rest] = items;
  if (first) throw new InvalidFields([first, ...rest]);
}

/** Gives a company these custom fields. Values of fields that go are kept unless `delete_values`. Throws NOT_FOUND, INVALID_FIELD. */
export async function putFields(
  ctx: Context,
  { actor, origin }: Caller,
  companyId: number,
  { fields, delete_values: isCleared = false }: FormData['companies/custom-fields'],
): Promise<void> {
  const now = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const company = await requireCompany(trx, actor, companyId);
    await assertFit(trx, company, fields);
    const before = await trx.selectFrom('custom_fields').select('schema').where('company_id', '=', companyId).executeTakeFirst();
    const schema = JSON.stringify(customSchema(fields));
    const row = { schema, updated_at: now };
    await trx
      .insertInto('custom_fields')
      .values({ company_id: companyId, ...row })
      .onConflict((conflict) => conflict.column('company_id').doUpdateSet(row))
      .execute();
    const deleted = isCleared ? await deleteKept(trx, companyId, fields) : [];
    const entry = { action: 'companies.custom-fields', entity: 'company', entityId: companyId, entityName: company.name, companyId };
    const shown = (text: string | undefined) => readFields(text ?? '{}').map(({ name, title, type }) => `${name}: ${title} (${type})`);
    if (before?.schema === schema && deleted.length === 0) return;
    await writeAudit(trx, { actor, origin, at: now }, [
      {
        ...entry,
        before: { id: companyId, custom_fields: shown(before?.schema) },
        after: { id: companyId, custom_fields: shown(schema), ...(deleted.length > 0 ? { deleted_values: deleted } : {}) },
      },
    ]);
  });
}

async function deleteKept(trx: Trx, companyId: number, fields: readonly CustomField[]): Promise<string[]> {
  const kept = await readKept(trx, companyId, fields);
  for (const { name } of kept) {
    const type = fields.find((field) => field.name === name)?.type;
    await trx
      .deleteFrom('device_custom_values')
      .where('company_id', '=', companyId)
      .where('name', '=', name)
      .$if(type !== undefined, (query) => query.where('type', '<>', type ?? 'text'))
      .execute();
  }
  return kept.map(({ name }) => name);
}
