import { sql, type Expression, type SqlBool } from 'kysely';
import type { Dashboard, FormData } from '../../../schemas/_generated/contract.ts';
import { compileBody } from '../../../schemas/kit/form/compile-body.ts';
import {
  arranged,
  EXPORT_FORMAT,
  faultOf,
  templateOf,
  widgetsSchema,
  type DashboardKind,
  type Widget,
} from '../../../schemas/kit/resources/dashboards.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { defineError, InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';

export const DashboardChanged = defineError<{ user: string }>('DASHBOARD_CHANGED');

type DashboardRow = Row<'dashboards'>;
type Found = DashboardRow & { company_name: string };

const MOST_IN_COMPANY = 500;

const columns: ListColumns = {
  id: sql.ref('dashboards.id'),
  sorts: {
    id: { by: sql.ref('dashboards.id') },
    name: byText('dashboards.name'),
    updated_at: { by: sql.ref('dashboards.updated_at') },
  },
  filters: { kind: (values) => isOneOf(sql.ref('dashboards.kind'), values) },
  search: (text) => containsText([sql.ref('dashboards.name')], text),
};

/** The company's that the actor sees, and one's own. */
const isReadable = (actor: Actor): Expression<SqlBool> =>
  sql<SqlBool>`(${isVisible(actor, 'dashboards')} and (dashboards.owner_id is null or dashboards.owner_id = ${actor.userId}))`;

function present(actor: Actor, row: Found): Dashboard {
  return {
    id: row.id,
    company_id: row.company_id,
    company_name: row.company_name,
    name: row.name,
    kind: row.kind,
    share: row.owner_id === null ? 'company' : 'private',
    is_company_default: row.is_default === 1,
    is_own: row.owner_id !== null && row.owner_id === actor.userId,
    widgets: row.widgets,
    version: row.version,
    user_name: row.user_name,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

const readable = (db: Db, actor: Actor) =>
  db.selectFrom('dashboards').innerJoin('companies', 'companies.id', 'dashboards.company_id').where(isReadable(actor));

/** One page of the dashboards that the actor may open. */
export async function listDashboards(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: Dashboard[]; total: number }> {
  const base = readable(db, actor).selectAll('dashboards').select('companies.name as company_name');
  const { rows, total } = await applyListQuery(base, query, columns);
  return { rows: rows.map((row) => present(actor, row)), total };
}

async function requireDashboard(db: Db, actor: Actor, id: number): Promise<Found> {
  const row = await readable(db, actor)
    .selectAll('dashboards')
    .select('companies.name as company_name')
    .where('dashboards.id', '=', id)
    .executeTakeFirst();
  if (!row) throw new NotFound({});
  return row;
}

/** One dashboard. Throws NOT_FOUND. */
export async function getDashboard(ctx: Context, actor: Actor, id: number): Promise<Dashboard> {
  return present(actor, await requireDashboard(ctx.reads, actor, id));
}

async function record(
  trx: Trx,
  { actor, origin }: Caller,
  verb: string,
  at: number,
  [before, after]: readonly [DashboardRow | null, DashboardRow | null],
) {
  const row = after ?? before;
  if (!row) return;
  const kept = (side: DashboardRow | null) =>
    side && {
      name: side.name,
      kind: side.kind,
      share: side.owner_id === null ? 'company' : 'private',
      is_company_default: side.is_default === 1,
      widgets: side.widgets,
    };
  await writeAudit(trx, { actor, origin, at }, [
    {
      action: `dashboards.${verb}`,
      entity: 'dashboard',
      entityId: row.id,
      entityName: row.name,
      companyId: row.company_id,
      before: kept(before),
      after: kept(after),
    },
  ]);
}

interface NewDashboard {
  name: string;
  kind: DashboardKind;
  share: 'private' | 'company';
  widgets: readonly Widget[];
}

async function insert(ctx: Context, caller: Caller, { name, kind, share, widgets }: NewDashboard): Promise<number> {
  const { actor } = caller;
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const { count } = await trx
      .selectFrom('dashboards')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('company_id', '=', actor.companyId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= MOST_IN_COMPANY)
      throw new InvalidFields([
        { source: 'name', message: `A company has ${MOST_IN_COMPANY} dashboards at most.`, params: { max: MOST_IN_COMPANY } },
      ]);
    const row = await trx
      .insertInto('dashboards')
      .values({
        company_id: actor.companyId,
        owner_id: share === 'company' ? null : actor.userId,
        kind,
        name,
        is_default: 0,
        widgets: JSON.stringify(widgets),
        version: 1,
        user_name: actor.name,
        created_at: at,
        updated_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, caller, 'new', at, [null, row]);
    return row.id;
  });
}

/** Makes a dashboard from a template. */
export function addDashboard(ctx: Context, caller: Caller, input: FormData['dashboards/new']): Promise<number> {
  return insert(ctx, caller, { ...input, widgets: templateOf(input.kind, input.template) });
}

const checkExport = compileBody({
  type: 'object',
  additionalProperties: false,
  required: ['format', 'kind', 'name', 'widgets'],
  properties: {
    format: { type: 'string', enum: [EXPORT_FORMAT] },
    kind: { type: 'string', enum: ['fleet', 'device'] },
    name: { type: 'string', minLength: 1, maxLength: 100 },
    widgets: widgetsSchema as unknown as { type: 'array' },
  },
});

function readExport(text: string): { kind: DashboardKind; name: string; widgets: Widget[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const [problem] = value === undefined ? [{ source: 'JSON' }] : checkExport(value);
  // What the schema lets through has this shape.
  const found = value as { kind: DashboardKind; name: string; widgets: Widget[] };
  const place = problem ? (problem.source ?? 'JSON') : faultOf(found.kind, found.widgets);
  if (place !== undefined)
    throw new InvalidFields([
      { source: 'text', message: `This is no exported dashboard (${place}).`, params: { key: 'forms.dashboards.import.wrong', place } },
    ]);
  return found;
}

/** Makes a dashboard from an export. Throws INVALID_FIELD at `text`. */
export function importDashboard(ctx: Context, caller: Caller, { text, share }: FormData['dashboards/import']): Promise<number> {
  const { kind, name, widgets } = readExport(text);
  return insert(ctx, caller, { kind, name, share, widgets: arranged(widgets) });
}

async function change(
  ctx: Context,
  caller: Caller,
  id: number,
  make: (trx: Trx, row: Found) => Promise<Partial<DashboardRow>>,
): Promise<number> {
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const { company_name: _name, ...before } = await requireDashboard(trx, caller.actor, id);
    const values = await make(trx, { ...before, company_name: _name });
    const after = await trx
      .updateTable('dashboards')
      .set({ ...values, version: before.version + 1, user_name: caller.actor.name, updated_at: at })
      .where('id', '=', id)
      .where('version', '=', before.version)
      .returningAll()
      .executeTakeFirst();
    if (!after) throw new DashboardChanged({ user: before.user_name });
    await record(trx, caller, 'edit', at, [before, after]);
    return after.version;
  });
}

/** Changes name, who sees it, and whether the company begins with it. Throws NOT_FOUND. */
export function editDashboard(ctx: Context, caller: Caller, id: number, input: FormData['dashboards/edit']): Promise<number> {
  return change(ctx, caller, id, async (trx, row) => {
    const isDefault = input.share === 'company' && input.is_company_default === true;
    if (isDefault)
      await trx
        .updateTable('dashboards')
        .set({ is_default: 0 })
        .where('company_id', '=', row.company_id)
        .where('kind', '=', row.kind)
        .where('id', '<>', id)
        .execute();
    // No longer shared with the company, it belongs to the person who ended the sharing.
    const owner = input.share === 'company' ? null : (row.owner_id ?? caller.actor.userId);
    return { name: input.name, owner_id: owner, is_default: isDefault ? 1 : 0 };
  });
}

/** Changes the widgets. Throws NOT_FOUND, DASHBOARD_CHANGED when somebody else did since `version`, INVALID_FIELD. */
export function arrangeDashboard(
  ctx: Context,
  caller: Caller,
  id: number,
  { version, widgets }: { version: number; widgets: Widget[] },
): Promise<number> {
  return change(ctx, caller, id, async (_trx, row) => {
    if (row.version !== version) throw new DashboardChanged({ user: row.user_name });
    const place = faultOf(row.kind, widgets);
    if (place !== undefined) throw new InvalidFields([{ source: place, message: 'A dashboard of this kind cannot show this.' }]);
    return { widgets: JSON.stringify(arranged(widgets)) };
  });
}

/** Removes a dashboard. Throws NOT_FOUND. */
export async function removeDashboard(ctx: Context, caller: Caller, id: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const { company_name: _name, ...before } = await requireDashboard(trx, caller.actor, id);
    await trx.deleteFrom('dashboards').where('id', '=', id).execute();
    await record(trx, caller, 'remove', at, [before, null]);
  });
}
