import { sql } from 'kysely';
import type { ConfigurationTemplate, FormData } from '../../../schemas/_generated/contract.ts';
import { hasVariable, type TemplateCall } from '../../../schemas/kit/devices/configuration-template.ts';
import { parseFirmware } from '../../../schemas/kit/devices/device-capabilities.ts';
import type { Context } from '../../context.ts';
import type { Db, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { assertInPerson } from '../../domain/plans/plan-devices.ts';
import { nextTime } from '../../domain/plans/next-time.ts';
import { isVisible, isWithin, requireCompany } from '../../kernel/tenancy.ts';
import { withUniqueName } from '../../kernel/unique-conflicts.ts';
import { documentFor } from './documents.ts';
import { TemplateChanged, TemplateInUse } from './errors.ts';
import { callsIn, chainOf, type TemplateRow } from './template-chain.ts';
import { assertTemplate } from './template-plan.ts';

type Found = TemplateRow & { company_name: string; base_name: string | null; devices_count: number; differs_count: number };

const isVariable = (value: unknown): boolean => typeof value === 'string' && hasVariable(value);

const columns: ListColumns = {
  id: sql.ref('configuration_templates.id'),
  sorts: {
    id: { by: sql.ref('configuration_templates.id') },
    name: byText('configuration_templates.name'),
    company_name: byText('companies.name'),
    updated_at: { by: sql.ref('configuration_templates.updated_at') },
  },
  filters: {
    company_id: (values) => isWithin(sql.ref('configuration_templates.company_id'), integers(values)),
    system: (values) => isOneOf(sql.ref('configuration_templates.system'), values),
  },
  search: (text) => containsText([sql.ref('configuration_templates.name'), sql.ref('configuration_templates.description')], text),
};

/** When devices are compared with a template after `now`: at night, not all templates in the same minute. */
export const nextNight = (now: number, id: number): number =>
  nextTime({ period: 'day', day: null, time: '02:00', timezone: 'UTC' }, now) + (id % 60) * 60_000;

const followers = (actor: Actor, state?: 'differs') =>
  sql<number>`(select count(*) from device_templates inner join devices on devices.id = device_templates.device_id
    where device_templates.template_id = configuration_templates.id and ${isVisible(actor, 'devices')}
    ${state === undefined ? sql`` : sql`and device_templates.state = ${sql.lit(state)}`})`;

function findTemplates(db: Db, actor: Actor, ids: readonly number[]): Promise<Found[]> {
  return db
    .selectFrom('configuration_templates')
    .innerJoin('companies', 'companies.id', 'configuration_templates.company_id')
    .leftJoin('configuration_templates as bases', 'bases.id', 'configuration_templates.base_id')
    .selectAll('configuration_templates')
    .select(['companies.name as company_name', 'bases.name as base_name'])
    .select([followers(actor).as('devices_count'), followers(actor, 'differs').as('differs_count')])
    .where('configuration_templates.id', 'in', ids)
    .where(isVisible(actor, 'configuration_templates'))
    .execute();
}

async function requireFound(db: Db, actor: Actor, id: number, source?: string): Promise<Found> {
  const [found] = await findTemplates(db, actor, [id]);
  if (!found) throw new NotFound({}, source === undefined ? {} : { source });
  return found;
}

const rowOf = ({
  company_name: _company,
  base_name: _base,
  devices_count: _devices,
  differs_count: _differs,
  ...row
}: Found): TemplateRow => row;

/** A template that the actor sees. Throws NOT_FOUND, at `source` where one is given. */
export const requireTemplate = async (db: Db, actor: Actor, id: number, source?: string): Promise<TemplateRow> =>
  rowOf(await requireFound(db, actor, id, source));

function present(row: Found): ConfigurationTemplate {
  const { id, company_id, company_name, name, system, version, revision, base_id, base_name, template, user_name } = row;
  return {
    id,
    company_id,
    company_name,
    name,
    description: row.description || null,
    system,
    version,
    revision,
    base_id,
    base_name,
    template,
    calls_count: callsIn(row).length,
    min_firmware: row.min_firmware || null,
    max_firmware: row.max_firmware || null,
    firmware: [row.min_firmware, row.max_firmware].filter(Boolean).join(' – ') || null,
    devices_count: Number(row.devices_count),
    differs_count: Number(row.differs_count),
    user_name,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

/** One page of the configuration templates that the actor sees. */
export async function listTemplates(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: ConfigurationTemplate[]; total: number }> {
  const base = db
    .selectFrom('configuration_templates')
    .innerJoin('companies', 'companies.id', 'configuration_templates.company_id')
    .where(isVisible(actor, 'configuration_templates'))
    .select('configuration_templates.id');
  const { rows, total } = await applyListQuery(base, query, columns);
  const ids = rows.map((row) => row.id);
  return { rows: inOrderOf(ids, await findTemplates(db, actor, ids)).map(present), total };
}

/** One configuration template. Throws NOT_FOUND. */
export const getTemplate = async (ctx: Context, actor: Actor, id: number): Promise<ConfigurationTemplate> =>
  present(await requireFound(ctx.reads, actor, id));

/** The versions of a template, newest first. Throws NOT_FOUND. */
export async function listRevisions(ctx: Context, actor: Actor, id: number) {
  await requireTemplate(ctx.reads, actor, id);
  const rows = await ctx.reads
    .selectFrom('configuration_revisions')
    .selectAll()
    .where('template_id', '=', id)
    .orderBy('revision', 'desc')
    .limit(100)
    .execute();
  return rows.map(({ revision, version, template, user_name, created_at }) => ({
    revision,
    version,
    template: JSON.parse(template) as TemplateCall[],
    user_name,
    created_at: wireTime(created_at),
  }));
}

function assertFirmware(min: string, max: string): void {
  for (const [source, value] of [
    ['min_firmware', min],
    ['max_firmware', max],
  ] as const)
    if (value !== '' && !parseFirmware(value))
      throw new InvalidFields([
        { source, message: 'Enter a version such as 07.14.', params: { key: 'forms.configuration-templates.no_version' } },
      ]);
}

type Sides = [before: TemplateRow | null, after: TemplateRow | null];

async function record(trx: Trx, { actor, origin }: Caller, verb: string, at: number, [before, after]: Sides): Promise<void> {
  const row = after ?? before;
  if (!row) return;
  const entry = { action: `configuration-templates.${verb}`, entity: 'configuration_template', entityId: row.id, entityName: row.name };
  const side = (one: TemplateRow | null) => one && { ...one };
  await writeAudit(trx, { actor, origin, at }, [{ ...entry, companyId: row.company_id, before: side(before), after: side(after) }]);
}

async function keepRevision(trx: Trx, row: TemplateRow, at: number): Promise<void> {
  const { id, revision, version, template, user_name } = row;
  await trx
    .insertInto('configuration_revisions')
    .values({ template_id: id, revision, version, template, user_name, created_at: at })
    .execute();
}

/** Before anything is written, because the database refuses a number that nothing has. */
async function assertBase(trx: Trx, actor: Actor, { base_id, system }: Pick<TemplateRow, 'base_id' | 'system'>): Promise<void> {
  if (base_id === null) return;
  const base = await requireTemplate(trx, actor, base_id, 'base_id');
  if (base.system !== system)
    throw new InvalidFields([
      { source: 'base_id', message: 'That template is for another system.', params: { key: 'forms.configuration-templates.other_system' } },
    ]);
}

export type NewTemplate = FormData['configuration-templates/new'];

/** Adds a template. Throws NOT_FOUND, NAME_TAKEN, INVALID_FIELD, TEMPLATE_CIRCLE. */
export async function addTemplate(
  ctx: Context,
  caller: Caller,
  body: Omit<NewTemplate, 'template'> & { template?: TemplateCall[] },
): Promise<number> {
  const { actor } = caller;
  assertInPerson(actor);
  const at = ctx.clock.now();
  const { template = [], system = 'rutos', min_firmware = '', max_firmware = '' } = body;
  assertFirmware(min_firmware, max_firmware);
  assertTemplate(await documentFor(ctx.reads, system), template, isVariable);
  return withUniqueName({ name: body.name, source: 'name' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const company = await requireCompany(trx, actor, body.company_id, 'company_id');
      await assertBase(trx, actor, { base_id: body.base_id ?? null, system });
      const row = await trx
        .insertInto('configuration_templates')
        .values({
          company_id: company.id,
          name: body.name,
          description: body.description ?? '',
          system,
          base_id: body.base_id ?? null,
          version: body.version,
          revision: 1,
          template: JSON.stringify(template),
          min_firmware,
          max_firmware,
          created_by: actor.userId,
          actor_company_id: actor.companyId,
          user_name: actor.name,
          next_at: nextNight(at, 0),
          created_at: at,
          updated_at: at,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await chainOf(trx, row);
      await keepRevision(trx, row, at);
      await record(trx, caller, 'new', at, [null, row]);
      return row.id;
    }),
  );
}

/** Within `outer` where the caller has a transaction. */
async function change(
  ctx: Context,
  caller: Caller,
  id: number,
  values: (row: TemplateRow) => Partial<TemplateRow>,
  outer?: Trx,
): Promise<void> {
  assertInPerson(caller.actor);
  const at = ctx.clock.now();
  const work = async (trx: Trx): Promise<void> => {
    const before = await requireTemplate(trx, caller.actor, id);
    const changes = values(before);
    await assertBase(trx, caller.actor, { ...before, ...changes });
    const { userId: created_by, companyId: actor_company_id, name: user_name } = caller.actor;
    const after = await trx
      .updateTable('configuration_templates')
      .set({ ...changes, created_by, actor_company_id, user_name, updated_at: at })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await chainOf(trx, after);
    if (after.revision !== before.revision) await keepRevision(trx, after, at);
    await record(trx, caller, 'edit', at, [before, after]);
  };
  await (outer ? work(outer) : inTransaction(ctx.db, work));
}

/** Changes what a template is called and which firmware it is for. Throws NOT_FOUND, NAME_TAKEN, INVALID_FIELD, TEMPLATE_CIRCLE with the names. */
export async function editTemplate(
  ctx: Context,
  caller: Caller,
  id: number,
  body: FormData['configuration-templates/edit'],
): Promise<void> {
  const { name, description = '', min_firmware = '', max_firmware = '', base_id = null } = body;
  assertFirmware(min_firmware, max_firmware);
  await withUniqueName({ name, source: 'name' }, () =>
    change(ctx, caller, id, () => ({ name, description, min_firmware, max_firmware, base_id })),
  );
}

/** Changes the settings of a template. Throws NOT_FOUND, INVALID_FIELD, TEMPLATE_CHANGED when somebody else did since `revision`. */
export async function changeTemplate(
  ctx: Context,
  caller: Caller,
  id: number,
  { revision, version, template }: { revision: number; version: string; template: TemplateCall[] },
  outer?: Trx,
): Promise<void> {
  const { system } = await requireTemplate(outer ?? ctx.reads, caller.actor, id);
  assertTemplate(await documentFor(outer ?? ctx.reads, system), template, isVariable);
  const values = (row: TemplateRow): Partial<TemplateRow> => {
    if (row.revision !== revision) throw new TemplateChanged({ user: row.user_name });
    return { template: JSON.stringify(template), version, revision: row.revision + 1 };
  };
  await change(ctx, caller, id, values, outer);
}

/** Removes a template; its devices keep their settings. Throws NOT_FOUND, TEMPLATE_IN_USE when others build on it. */
export async function removeTemplate(ctx: Context, caller: Caller, id: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireTemplate(trx, caller.actor, id);
    const above = await trx.selectFrom('configuration_templates').select('name').where('base_id', '=', id).limit(5).execute();
    if (above.length > 0) throw new TemplateInUse({ names: above.map(({ name }) => name).join(', ') });
    await trx.deleteFrom('configuration_templates').where('id', '=', id).execute();
    await record(trx, caller, 'remove', at, [before, null]);
  });
}
