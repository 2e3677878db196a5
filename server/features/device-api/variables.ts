import { sql } from 'kysely';
import type { ConfigurationVariable, FormData } from '../../../schemas/_generated/contract.ts';
import { HIDDEN } from '../../../schemas/kit/devices/configuration.ts';
import { circleIn, Unfilled, type Lookup, type Lookups } from '../../../schemas/kit/devices/configuration-template.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { openSealed, sealText } from '../../kernel/seal.ts';
import { isVisible, isWithin, requireCompany } from '../../kernel/tenancy.ts';
import { withUniqueName } from '../../kernel/unique-conflicts.ts';
import { VariableCircle } from './errors.ts';

export const VARIABLE_PURPOSE = 'configuration variables';

type VariableRow = Row<'configuration_variables'>;
type Found = VariableRow & { company_name: string; tag_name: string | null; device_name: string | null };

const SCOPE = sql<string>`case when v.device_id is not null then 'device' when v.tag_id is not null then 'tag' else 'company' end`;

const columns: ListColumns = {
  id: sql.ref('v.id'),
  sorts: {
    id: { by: sql.ref('v.id') },
    name: byText('v.name'),
    updated_at: { by: sql.ref('v.updated_at') },
  },
  filters: {
    scope: (values) => isOneOf(SCOPE, values),
    company_id: (values) => isWithin(sql.ref('v.company_id'), integers(values)),
    tag_id: (values) => isOneOf(sql.ref('v.tag_id'), integers(values)),
    device_id: (values) => isOneOf(sql.ref('v.device_id'), integers(values)),
  },
  search: (text) => containsText([sql.ref('v.name')], text),
};

/** Variables of companies, tags and devices that the actor sees; those of a device are its present company's. */
const visibleVariables = (db: Db, actor: Actor) =>
  db
    .selectFrom('configuration_variables as v')
    .innerJoin('companies', 'companies.id', 'v.company_id')
    .leftJoin('tags', 'tags.id', 'v.tag_id')
    .leftJoin('devices', 'devices.id', 'v.device_id')
    .where((where) =>
      where.or([
        where.and([where('v.device_id', 'is', null), isVisible(actor, 'companies')]),
        where.and([where('v.device_id', 'is not', null), isVisible(actor, 'devices')]),
      ]),
    );

const findVariables = (db: Db, actor: Actor, ids: readonly number[]): Promise<Found[]> =>
  visibleVariables(db, actor)
    .selectAll('v')
    .select(['companies.name as company_name', 'tags.name as tag_name', 'devices.name as device_name'])
    .where('v.id', 'in', ids)
    .execute();

async function requireVariable(db: Db, actor: Actor, id: number): Promise<Found> {
  const [row] = await findVariables(db, actor, [id]);
  if (!row) throw new NotFound({});
  return row;
}

const shown = (row: VariableRow): string => (row.is_secret === 1 ? HIDDEN : row.value);

function present(row: Found): ConfigurationVariable {
  return {
    id: row.id,
    company_id: row.company_id,
    company_name: row.company_name,
    scope: row.device_id !== null ? 'device' : row.tag_id !== null ? 'tag' : 'company',
    tag_id: row.tag_id,
    device_id: row.device_id,
    owner_name: row.device_name ?? row.tag_name ?? row.company_name,
    name: row.name,
    value: shown(row),
    is_secret: row.is_secret === 1,
    user_name: row.user_name,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

/** One page of the variables that the actor sees; the values of secret ones are `***`. */
export async function listVariables(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: ConfigurationVariable[]; total: number }> {
  const { rows, total } = await applyListQuery(visibleVariables(db, actor).select('v.id'), query, columns);
  const ids = rows.map((row) => row.id);
  return { rows: inOrderOf(ids, await findVariables(db, actor, ids)).map(present), total };
}

/** One variable. Throws NOT_FOUND. */
export async function getVariable(ctx: Context, actor: Actor, id: number): Promise<ConfigurationVariable> {
  return present(await requireVariable(ctx.reads, actor, id));
}

async function record(
  trx: Trx,
  { actor, origin }: Caller,
  verb: string,
  at: number,
  [before, after]: [VariableRow | null, VariableRow | null],
) {
  const row = after ?? before;
  if (!row) return;
  const side = (one: VariableRow | null) => one && { ...one, value: shown(one) };
  const entry = { action: `configuration-variables.${verb}`, entity: 'configuration_variable', entityId: row.id, entityName: row.name };
  await writeAudit(trx, { actor, origin, at }, [{ ...entry, companyId: row.company_id, before: side(before), after: side(after) }]);
}

/** The variables that could meet in a text with these of a company: its own and those of the companies above. Throws VARIABLE_CIRCLE. */
async function assertNoCircle(ctx: Context, trx: Trx, changed: VariableRow): Promise<void> {
  const company = await trx.selectFrom('companies').select('path').where('id', '=', changed.company_id).executeTakeFirstOrThrow();
  const rows = await trx
    .selectFrom('configuration_variables')
    .selectAll()
    .where('company_id', 'in', ancestorsOf(company.path))
    .where((where) =>
      where.or([
        where.and([where('tag_id', 'is', null), where('device_id', 'is', null)]),
        ...(changed.tag_id === null ? [] : [where('tag_id', '=', changed.tag_id)]),
        ...(changed.device_id === null ? [] : [where('device_id', '=', changed.device_id)]),
      ]),
    )
    .orderBy('company_id')
    .execute();
  const values = new Map(rows.map((row) => [row.name, valueOf(ctx, row)]));
  values.set(changed.name, valueOf(ctx, changed));
  const names = circleIn(values);
  if (names !== undefined) throw new VariableCircle({ names }, { source: 'value' });
}

const sealed = (ctx: Pick<Context, 'secretKey'>, value: string, isSecret: boolean): string =>
  isSecret ? sealText(ctx.secretKey, VARIABLE_PURPOSE, value) : value;

const valueOf = (ctx: Pick<Context, 'secretKey'>, row: Pick<VariableRow, 'value' | 'is_secret'>): string =>
  row.is_secret === 1 ? openSealed(ctx.secretKey, VARIABLE_PURPOSE, row.value) : row.value;

async function ownerOf(trx: Trx, actor: Actor, body: FormData['configuration-variables/new']) {
  if (body.scope === 'tag') {
    const tag = await trx
      .selectFrom('tags')
      .select(['id', 'company_id'])
      .where('id', '=', body.tag_id ?? 0)
      .where(isVisible(actor, 'tags'))
      .executeTakeFirst();
    if (!tag) throw new NotFound({}, { source: 'tag_id' });
    return { company_id: tag.company_id, tag_id: tag.id, device_id: null };
  }
  if (body.scope === 'device') {
    const device = await trx
      .selectFrom('devices')
      .select(['id', 'company_id'])
      .where('id', '=', body.device_id ?? 0)
      .where(isVisible(actor, 'devices'))
      .executeTakeFirst();
    if (!device) throw new NotFound({}, { source: 'device_id' });
    return { company_id: device.company_id, tag_id: null, device_id: device.id };
  }
  const company = await requireCompany(trx, actor, body.company_id ?? actor.companyId, 'company_id');
  return { company_id: company.id, tag_id: null, device_id: null };
}

/** Sets a variable of a company, a tag or a device. Throws NOT_FOUND at who it is for, NAME_TAKEN, VARIABLE_CIRCLE. */
export function addVariable(ctx: Context, caller: Caller, body: FormData['configuration-variables/new']): Promise<number> {
  const at = ctx.clock.now();
  const isSecret = body.is_secret === true;
  return withUniqueName({ name: body.name, source: 'name' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const row = await trx
        .insertInto('configuration_variables')
        .values({
          ...(await ownerOf(trx, caller.actor, body)),
          name: body.name,
          value: sealed(ctx, body.value, isSecret),
          is_secret: isSecret ? 1 : 0,
          user_name: caller.actor.name,
          created_at: at,
          updated_at: at,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await assertNoCircle(ctx, trx, row);
      await record(trx, caller, 'new', at, [null, row]);
      return row.id;
    }),
  );
}

/** Changes the value of a variable. Throws NOT_FOUND, VARIABLE_CIRCLE. */
export async function editVariable(ctx: Context, caller: Caller, id: number, { value }: FormData['configuration-variables/edit']) {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const { company_name: _company, tag_name: _tag, device_name: _device, ...before } = await requireVariable(trx, caller.actor, id);
    const after = await trx
      .updateTable('configuration_variables')
      .set({ value: sealed(ctx, value, before.is_secret === 1), user_name: caller.actor.name, updated_at: at })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await assertNoCircle(ctx, trx, after);
    await record(trx, caller, 'edit', at, [before, after]);
  });
}

/** Removes a variable. Throws NOT_FOUND. */
export async function removeVariable(ctx: Context, caller: Caller, id: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const { company_name: _company, tag_name: _tag, device_name: _device, ...before } = await requireVariable(trx, caller.actor, id);
    await trx.deleteFrom('configuration_variables').where('id', '=', id).execute();
    await record(trx, caller, 'remove', at, [before, null]);
  });
}

/** `/1/5/` → 1, 5. */
const ancestorsOf = (path: string): number[] => path.split('/').filter(Boolean).map(Number);

export type VariableDevice = Pick<Row<'devices'>, 'id' | 'name' | 'serial' | 'mac' | 'model'> & { company_path: string };

/**
 * What variables are for each of these devices: the device's own value, else that of its tags, else that of the nearest company above it.
 * `device.name`, `device.serial`, `device.mac` and `device.model` are always there.
 */
export async function lookupsFor(ctx: Context, db: Db, devices: readonly VariableDevice[]): Promise<Map<number, Lookups>> {
  const ids = ctx.database.tools.idList(devices.map(({ id }) => id));
  const companies = ctx.database.tools.idList([...new Set(devices.flatMap((device) => ancestorsOf(device.company_path)))]);
  const rows = await db
    .selectFrom('configuration_variables')
    .selectAll()
    .where((where) =>
      where.or([
        where.and([where('tag_id', 'is', null), where('device_id', 'is', null), where('company_id', 'in', companies)]),
        where('device_id', 'in', ids),
        where('tag_id', 'in', (tagged) =>
          tagged.selectFrom('device_tags').select('device_tags.tag_id').where('device_tags.device_id', 'in', ids),
        ),
      ]),
    )
    .execute();
  const tags = await db.selectFrom('device_tags').select(['device_id', 'tag_id']).where('device_id', 'in', ids).execute();
  const tagsOf = Map.groupBy(tags, (row) => row.device_id);
  const byName = Map.groupBy(rows, (row) => row.name);
  return new Map(
    devices.map((device) => [device.id, lookupOf(ctx, device, byName, new Set(tagsOf.get(device.id)?.map((row) => row.tag_id)))]),
  );
}

function lookupOf(ctx: Context, device: VariableDevice, byName: ReadonlyMap<string, VariableRow[]>, tags: ReadonlySet<number>): Lookups {
  const nearest = ancestorsOf(device.company_path).toReversed();
  const own: Record<string, string> = {
    'device.name': device.name,
    'device.serial': device.serial,
    'device.mac': device.mac,
    'device.model': device.model,
  };
  const lookup = (isOpen: boolean): Lookup => {
    const read = (row: VariableRow): string => {
      if (isOpen && row.is_secret === 1) throw new Unfilled('SECRET', row.name);
      return valueOf(ctx, row);
    };
    return (name) => {
      if (Object.hasOwn(own, name)) return own[name];
      const rows = byName.get(name) ?? [];
      const ofDevice = rows.find((row) => row.device_id === device.id);
      if (ofDevice) return read(ofDevice);
      const ofTags = new Set(rows.flatMap((row) => (row.tag_id !== null && tags.has(row.tag_id) ? [read(row)] : [])));
      if (ofTags.size > 1) return null;
      const [ofTag] = ofTags;
      if (ofTag !== undefined) return ofTag;
      const ofCompanies = rows.filter((row) => row.tag_id === null && row.device_id === null);
      const [found] = nearest.flatMap((id) => ofCompanies.filter((row) => row.company_id === id));
      return found && read(found);
    };
  };
  return { open: lookup(true), all: lookup(false) };
}
