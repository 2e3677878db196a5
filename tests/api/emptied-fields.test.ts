import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadContract } from '../../schemas/kit/codegen/load.ts';
import { fieldsOf, valueAt, withValueAt, type FormField, type Members } from '../../schemas/kit/form/form-fields.ts';
import { itemOf, typesOf } from '../../schemas/kit/form/schema-parts.ts';
import type { FormFile, JsonValue } from '../../schemas/kit/form/types.ts';
import { visibleSchema } from '../../schemas/kit/form/visible-schema.ts';
import { isSameData, prepareData, startData } from '../../src/engine/form/prepare.ts';
import { as, type Answer, type Caller } from '../helpers/as.ts';
import { makeTree } from '../helpers/factories.ts';
import { makeRecords } from '../helpers/route-samples.ts';
import { makeWorld, type World } from '../helpers/world.ts';

type Data = Record<string, JsonValue>;

const contract = loadContract();
const editForms: FormFile[] = Object.values(contract.forms).filter(
  ({ load, submit }) => load?.path.includes('{id}') === true && submit.method === 'PUT',
);

/** What is not the record's own, is never read back, or gets its usual value when it is empty, as the form says. */
const NOT_STORED = new Set([
  'users/edit company_id',
  'mail/edit-configuration password',
  'remote-access/edit username',
  'remote-access/edit password',
  'reports/edit name',
]);
/** Takes what these records have none of: another template, questions of a task list, an automation for chosen devices. */
const CANNOT_BE_FILLED = new Set(['configuration-templates/edit base_id', 'task-plans/edit values', 'devices/automations automation_ids']);

let world: World;
let admin: Caller;
let records: Record<string, number>;

beforeAll(async () => {
  world = await makeWorld();
  const { top, middle } = await makeTree(world);
  admin = await as(world, 'super_admin', { company: top });
  records = await makeRecords(world, middle);
  await admin.post('/system/announcements', contract.forms['announcements/new']?.examples[0]);
  await admin.post('/notifications/rules', { in_console: ['deviceOffline'] });
  for (const path of ['system/announcements', 'notifications/rules']) records[path] = (await admin.get(`/${path}`)).data[0].id;
  records['themes'] = top.id;
});
afterAll(() => world[Symbol.asyncDispose]());

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** What a form may have in a field: that of an example, with records that exist in place of numbers that nothing has. */
function exampleOf(form: FormFile, { path, schema, ui }: FormField): JsonValue | undefined {
  const example = form.examples.map((one) => valueAt(one, path)).find((value) => !isEmpty(value));
  const lookup = ui['ui:options']?.lookup;
  const id = lookup === undefined ? undefined : records[contract.lookups.lookups[lookup]?.path.slice(1) ?? ''];
  const isText = example === undefined && id === undefined && schema.type === 'string' && !schema.pattern && !schema.enum;
  const [choice] = itemOf(schema)?.enum ?? [];
  if (id === undefined) return isText ? 'sample' : (example ?? (choice === undefined ? undefined : [choice]));
  return typesOf(schema).includes('array') ? [id] : id;
}

/** Entries with what goes with a field: half a position is none. */
function withCompanions(form: FormFile, entries: Data, field: FormField): Data {
  const isOfPosition = ({ path }: FormField): boolean => path.endsWith('itude');
  const others = isOfPosition(field) ? [...fieldsOf(form).values()].filter((other) => other !== field && isOfPosition(other)) : [];
  return others.reduce((whole, other) => withValueAt(whole, other.path, exampleOf(form, other)), withDepends(entries, field));
}

/** The values that a field exists for. */
function withDepends(data: Data, { rule }: FormField): Data {
  return Object.entries(rule.depends ?? {}).reduce((whole, [path, [value = null]]) => withValueAt(whole, path, value), data);
}

function pathsOf({ load, submit }: FormFile): { load: string; submit: string } {
  const id = String(records[submit.path.split('/{id}')[0]?.slice(1) ?? '']);
  return { load: (load?.path ?? '').replace('{id}', id), submit: submit.path.replace('{id}', id) };
}

async function read(form: FormFile): Promise<Data> {
  const answer = await admin.get(pathsOf(form).load);
  expect(answer.status, form.id).toBe(200);
  return startData(form, answer.data as Members) as Data;
}

/** Sends what the console would for such entries in a form that began with `start`. */
function save(form: FormFile, entries: Data, start: Data): Promise<Answer> {
  const { data, fields } = visibleSchema(form, entries);
  return admin.put(pathsOf(form).submit, prepareData(form, data, { start, shown: fields }));
}

function optionalFields(form: FormFile): FormField[] {
  return [...fieldsOf(form).values()].filter(
    ({ path, schema, ui, isGroup, isRequired }) =>
      !isGroup &&
      !isRequired &&
      !['hidden', 'file'].includes(ui['ui:widget'] ?? '') &&
      !typesOf(schema).includes('boolean') &&
      !NOT_STORED.has(`${form.id} ${path}`) &&
      !CANNOT_BE_FILLED.has(`${form.id} ${path}`),
  );
}

/** Makes the record one that the form takes: samples have texts that people could not enter. */
async function makeRight(form: FormFile): Promise<void> {
  const required = [...fieldsOf(form).values()].filter(({ isGroup, isRequired, rule }) => !isGroup && isRequired && !rule.depends);
  const [example = {}] = form.examples;
  const entries = required.reduce((whole, field) => withValueAt(whole, field.path, exampleOf(form, field)), example as Data);
  await save(form, entries, {});
}

/** Why an emptied field is not stored empty; nothing when it is, or when it was refused with a reason. */
async function faultOf(form: FormFile, field: FormField): Promise<string | undefined> {
  const { path, schema } = field;
  const before = await read(form);
  const value = isEmpty(valueAt(before, path)) ? exampleOf(form, field) : valueAt(before, path);
  const filled = await save(form, withValueAt(withCompanions(form, before, field), path, value), before);
  if (filled.status !== 200) return `${path} cannot be filled: ${filled.text}`;
  const start = await read(form);
  if (isEmpty(valueAt(start, path))) return `${path} does not keep ${JSON.stringify(value)}`;
  const emptied = await save(form, withValueAt(start, path, undefined), start);
  if (emptied.status !== 200) return emptied.errors.length > 0 ? undefined : `${path} is refused without a reason`;
  const now = valueAt(await read(form), path);
  // No minutes are none.
  return isEmpty(now) || now === 0 || isSameData(now, schema.default) ? undefined : `${path} is still ${JSON.stringify(now)}`;
}

const tried = editForms.map((form) => ({ id: form.id, form, fields: optionalFields(form) })).filter(({ fields }) => fields.length > 0);

test.each(tried)('the form $id stores an optional field that was emptied as empty, or says why not [CK1]', async ({ form, fields }) => {
  await makeRight(form);
  const faults: string[] = [];
  for (const field of fields) faults.push(...[(await faultOf(form, field)) ?? []].flat());
  expect(faults).toEqual([]);
});
