import { sql, type Expression, type SqlBool } from 'kysely';
import { resources } from '../../../resources.config.ts';
import type { FormData, View } from '../../../schemas/_generated/contract.ts';
import type { ResourceEntry } from '../../../schemas/kit/resources/resource-types.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import { can, type Actor, type Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { Forbidden, InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';

type ViewRow = Row<'views'>;

const MAX_OWN_VIEWS = 100;
const columns: ListColumns = {
  id: sql.ref('views.id'),
  sorts: { name: byText('views.name') },
  filters: { resource: (values) => isOneOf(sql.ref('views.resource'), values) },
};

const isOwn = (actor: Actor, row: Pick<ViewRow, 'created_by'>): boolean => row.created_by === actor.userId;

/** The owner of a view may change it; a shared one also the administrators of the company that it is shared in, or one above it. */
function canEdit(actor: Actor, row: ViewRow): boolean {
  if (isOwn(actor, row)) return true;
  if (row.share === 'private') return false;
  return row.company_id === null ? can(actor, 'super_admin') : can(actor, 'update_companies') && !isAbove(actor, row.company_id);
}

const isAbove = (actor: Actor, companyId: number): boolean =>
  actor.scope !== 'all' && companyId !== actor.companyId && actor.companyPath.split('/').includes(String(companyId));

/** The lists that the actor may see, by name. */
function listsOf(actor: Actor): string[] {
  const entries: readonly ResourceEntry[] = resources;
  return entries.filter(({ permission }) => permission.list === undefined || can(actor, permission.list)).map(({ name }) => name);
}

/** The condition "this view is the actor's own, or shared with the company that the actor acts in", of lists that the actor may see. */
function isForActor(actor: Actor): Expression<SqlBool> {
  const above = actor.companyPath.split('/').filter(Boolean).map(Number);
  return sql<SqlBool>`${isOneOf(sql.ref('views.resource'), listsOf(actor))} and (views.owner_id = ${actor.userId}
    or (views.share = 'company' and views.company_id = ${actor.companyId})
    or (views.share = 'everyone' and (views.company_id is null or views.company_id in (${sql.join(above)}))))`;
}

function present(actor: Actor, row: ViewRow, roles: readonly number[]): View {
  return {
    id: row.id,
    resource: row.resource,
    name: row.name,
    share: row.share,
    company_id: row.company_id,
    user_name: row.user_name,
    is_own: isOwn(actor, row),
    can_edit: canEdit(actor, row),
    query: row.query,
    columns: row.columns,
    default_roles: canEdit(actor, row) ? [...roles] : [],
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

/** One page of the views that the actor may use. */
export async function listViews(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: View[]; total: number }> {
  const { rows, total } = await applyListQuery(db.selectFrom('views').selectAll('views').where(isForActor(actor)), query, columns);
  const ids = rows.map(({ id }) => id);
  const roles =
    ids.length === 0 ? [] : await db.selectFrom('view_roles').selectAll().where('view_id', 'in', ids).orderBy('role_id').execute();
  const rolesOf = (id: number) => roles.filter(({ view_id }) => view_id === id).map(({ role_id }) => role_id);
  return { rows: rows.map((row) => present(actor, row, rolesOf(row.id))), total };
}

/** The condition "this view is the actor's to use, or shared in a company that the actor runs". */
function isInReach(actor: Actor): Expression<SqlBool> {
  if (!can(actor, 'update_companies')) return isForActor(actor);
  return sql<SqlBool>`(${isForActor(actor)} or (views.share <> 'private'
    and views.company_id in (select companies.id from companies where ${isVisible(actor, 'companies')})))`;
}

async function requireView(trx: Trx, actor: Actor, id: number): Promise<ViewRow> {
  const row = await trx.selectFrom('views').selectAll().where('id', '=', id).where(isInReach(actor)).executeTakeFirst();
  if (!row) throw new NotFound({});
  if (!canEdit(actor, row)) throw new Forbidden({});
  return row;
}

/** Who may use a view of this actor: nobody else, the company in which the actor acts, or also all below it. */
function shareOf(actor: Actor, input: Pick<FormData['views/edit'], 'share' | 'everyone'>) {
  if (input.share !== 'company') return { share: 'private', company_id: actor.companyId, owner_id: actor.userId } as const;
  if (input.everyone !== true) return { share: 'company', company_id: actor.companyId, owner_id: null } as const;
  return { share: 'everyone', company_id: actor.scope === 'all' ? null : actor.companyId, owner_id: null } as const;
}

const ownShare = (actor: Actor, input: FormData['views/edit']) => (input.share === undefined ? {} : shareOf(actor, input));

/** Another person's view stays in the company where it was shared, and is not taken from it. */
function otherShare(before: ViewRow, input: FormData['views/edit']) {
  if (before.company_id === null || input.share !== 'company') return {};
  return { share: input.everyone === true ? 'everyone' : 'company' } as const;
}

function assertColumns(text: string | undefined): void {
  if (text === undefined) return;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return;
  } catch {
    // Refused below, as what is no object is.
  }
  throw new InvalidFields([{ source: 'columns', message: 'This is no JSON of an object.' }]);
}

/** History is for what others see: a private view is a setting of the console, and those are in no history. */
async function record(trx: Trx, { actor, origin }: Caller, verb: string, before: ViewRow | null, after: ViewRow | null): Promise<void> {
  const row = after ?? before;
  const isShared = [before, after].some((side) => side !== null && side.share !== 'private');
  if (!row || !isShared) return;
  await writeAudit(trx, { actor, origin, at: row.updated_at }, [
    {
      action: `views.${verb}`,
      entity: 'view',
      entityId: row.id,
      entityName: row.name,
      companyId: row.company_id ?? actor.companyId,
      before: before && { ...before },
      after: after && { ...after },
    },
  ]);
}

/**
 * Lets the list open with a view for these roles in its company; for each role one view of a list. Roles stay as they were for who may not say so.
 * Throws NOT_FOUND at `default_roles`.
 */
async function setDefaultRoles(trx: Trx, actor: Actor, view: ViewRow, roleIds: readonly number[] | undefined): Promise<void> {
  const wanted = view.share === 'private' ? [] : roleIds;
  if (wanted === undefined) return;
  const known = await trx
    .selectFrom('roles')
    .leftJoin('companies', 'companies.id', 'roles.company_id')
    .select('roles.id')
    .where('roles.id', 'in', wanted)
    .where(({ eb, or }) => or([eb('roles.company_id', 'is', null), isVisible(actor, 'companies')]))
    .execute();
  if (known.length !== wanted.length) throw new NotFound({}, { source: 'default_roles' });
  const beside = trx
    .selectFrom('views')
    .select('id')
    .where('resource', '=', view.resource)
    .where('company_id', view.company_id === null ? 'is' : '=', view.company_id);
  await trx.deleteFrom('view_roles').where('view_id', '=', view.id).execute();
  if (wanted.length === 0) return;
  await trx.deleteFrom('view_roles').where('view_id', 'in', beside).where('role_id', 'in', wanted).execute();
  await trx
    .insertInto('view_roles')
    .values(wanted.map((role_id) => ({ view_id: view.id, role_id })))
    .execute();
}

/** Saves a view. Throws INVALID_FIELD at `resource`, `columns`, or at `name` for one too many. */
export async function addView(ctx: Context, caller: Caller, input: FormData['views/new']): Promise<number> {
  const { actor } = caller;
  if (!listsOf(actor).includes(input.resource))
    throw new InvalidFields([{ source: 'resource', message: 'There is no list of this name.' }]);
  assertColumns(input.columns);
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const own = trx.selectFrom('views').where('created_by', '=', actor.userId);
    const { count } = await own.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
    if (count >= MAX_OWN_VIEWS)
      throw new InvalidFields([
        {
          source: 'name',
          message: `At most ${MAX_OWN_VIEWS} views are kept.`,
          params: { key: 'forms.views.too_many', max: MAX_OWN_VIEWS },
        },
      ]);
    const row = await trx
      .insertInto('views')
      .values({
        resource: input.resource,
        name: input.name,
        ...shareOf(actor, input),
        created_by: actor.userId,
        user_name: actor.name,
        query: input.query,
        columns: input.columns ?? null,
        created_at: at,
        updated_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, caller, 'new', null, row);
    return row.id;
  });
}

/**
 * Changes a view; what is not given stays, but `share`: only its maker makes a shared view private. Throws NOT_FOUND, FORBIDDEN, INVALID_FIELD at
 * `columns`.
 */
export async function editView(ctx: Context, caller: Caller, id: number, input: FormData['views/edit']): Promise<void> {
  assertColumns(input.columns);
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireView(trx, caller.actor, id);
    const share = isOwn(caller.actor, before) ? ownShare(caller.actor, input) : otherShare(before, input);
    const after = await trx
      .updateTable('views')
      .set({
        name: input.name,
        query: input.query ?? before.query,
        columns: input.columns ?? before.columns,
        ...share,
        updated_at: ctx.clock.now(),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await setDefaultRoles(trx, caller.actor, after, input.default_roles);
    await record(trx, caller, 'edit', before, after);
  });
}

/** Removes a view. Throws NOT_FOUND, FORBIDDEN. */
export async function removeView(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireView(trx, caller.actor, id);
    await trx.deleteFrom('views').where('id', '=', id).execute();
    await record(trx, caller, 'remove', { ...before, updated_at: ctx.clock.now() }, null);
  });
}
