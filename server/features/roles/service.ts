import type { FormData, PermissionName } from '../../../schemas/_generated/contract.ts';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import { withViews } from '../../../schemas/kit/resources/permission-views.ts';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { can, personOf, type Actor, type Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { allPermissions } from '../../kernel/auth/permission-list.ts';
import { findRoleRights, reaches, type RoleRights, outranks } from '../../kernel/auth/role-rights.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { AppError, InvalidFields, NotFound, defineError } from '../../kernel/errors.ts';
import { requireCompany } from '../../kernel/tenancy.ts';
import { withUniqueName } from '../../kernel/unique-conflicts.ts';
import { findHolderIds, findHolderNames, findRole, findRolePermissions, findRoleRow, writePermissions } from './repo.ts';

const MAX_NAMES = 5;

/** One role as the actor sees it, with what it permits for those who may see that. Throws NOT_FOUND. */
export async function getRole(ctx: Context, actor: Actor, id: number) {
  const role = await findRole(ctx.reads, actor, id);
  if (!role) throw new NotFound({});
  if (!can(actor, 'view_permissions')) return role;
  const held = new Set(await findRolePermissions(ctx.reads, id));
  return { ...role, permission_id: allPermissions.filter(({ name }) => held.has(name)).map((permission) => permission.id) };
}

/** The permissions of these numbers and the views that they need. Throws INVALID_FIELD, PERMISSION_RESERVED and PERMISSION_NOT_HELD at `permission_id`. */
function requirePermissions(actor: Actor, ids: readonly number[]): PermissionName[] {
  const asked = ids.map((id, index) => {
    const permission = allPermissions.find((entry) => entry.id === id);
    if (!permission)
      throw new InvalidFields([{ source: `permission_id.${index}`, message: `There is no permission ${id}.`, params: { id } }]);
    return permission.name;
  });
  const wanted = new Set(withViews(asked, allPermissions));
  const permissions = allPermissions.map((entry) => entry.name).filter((name) => wanted.has(name));
  assertMayGive(actor, permissions);
  return permissions;
}

/** Throws PERMISSION_RESERVED and PERMISSION_NOT_HELD at `permission_id`. */
export function assertMayGive(actor: Actor, permissions: readonly PermissionName[]): void {
  for (const permission of permissions) {
    const verdict = judgePermission(actor, permission);
    const place = { source: 'permission_id' };
    if (verdict === 'reserved') throw new PermissionReserved({ permission }, place);
    if (verdict === 'not-held') throw new PermissionNotHeld({ permission }, place);
  }
}

/** Throws SCOPE_TOO_WIDE at `scope`. */
export function assertScope(actor: Actor, scope: Row<'roles'>['scope']): void {
  if (!reaches(actor, scope)) throw new ScopeTooWide({}, { source: 'scope' });
}

/** A role that the actor may change. Throws NOT_FOUND, BUILT_IN_ROLE, OWN_ROLE, ROLE_TOO_STRONG. */
export async function requireOwnRole(trx: Trx, actor: Actor, id: number): Promise<Row<'roles'>> {
  const role = await findRoleRow(trx, actor, id);
  const rights = role && (await findRoleRights(trx, id));
  if (!role || !rights) throw new NotFound({});
  // A role that the actor has in another company counts too, and so does one of the user on whose behalf they act.
  const holders = await findHolderIds(trx, id);
  const isHeldByActor = holders.includes(actor.userId) || holders.includes(personOf(actor));
  switch (judgeRoleChange(actor, rights, isHeldByActor)) {
    case 'built-in':
      throw new BuiltInRole({});
    case 'own':
      throw new OwnRole({});
    case 'too-strong':
      throw new RoleTooStrong({});
    case 'allow':
      return role;
  }
}

/** `Field engineer` → `custom_field_engineer`: a key that is never one of a built-in role. */
function keyOf(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ['role'];
  return `custom_${words.join('_')}`;
}

type Kept = Row<'roles'> & { permissions: readonly PermissionName[] };

/** Writes the history row of a change of a role. */
export function auditRole(
  trx: Trx,
  { actor, origin }: Caller,
  at: number,
  { action, before, after }: { action: string; before: Kept | null; after: Kept | null },
) {
  const role = after ?? before;
  return writeAudit(trx, { actor, origin, at }, [
    {
      action,
      entity: 'role',
      entityId: role?.id ?? null,
      entityName: role?.title ?? '',
      companyId: role?.company_id ?? null,
      before: before && { ...before, permissions: [...before.permissions] },
      after: after && { ...after, permissions: [...after.permissions] },
    },
  ]);
}

/**
 * Makes the same role in each of these companies, in all or in none. Answers their ids. Throws NOT_FOUND at `company_id.<n>`, SCOPE_TOO_WIDE at
 * `scope`, NAME_TAKEN at `title`, and what `requirePermissions` throws.
 */
export async function createRoles(ctx: Context, caller: Caller, input: FormData['roles/new']): Promise<number[]> {
  const { actor } = caller;
  const { title, description = '', scope = 'company', start_page = 'last' } = input;
  const permissions = requirePermissions(actor, input.permission_id);
  assertScope(actor, scope);
  const at = ctx.clock.now();
  return withUniqueName({ name: title, source: 'title' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const ids: number[] = [];
      for (const [index, companyId] of input.company_id.entries()) {
        const company = await requireCompany(trx, actor, companyId, `company_id.${index}`);
        const role = await trx
          .insertInto('roles')
          .values({ name: keyOf(title), title, description, scope, start_page, company_id: company.id, created_at: at, updated_at: at })
          .returningAll()
          .executeTakeFirstOrThrow();
        await writePermissions(trx, role.id, permissions);
        await auditRole(trx, caller, at, { action: 'roles.new', before: null, after: { ...role, permissions } });
        ids.push(role.id);
      }
      return ids;
    }),
  );
}

/**
 * The permissions of a role's holders have changed. Their calls are judged by it from now on; their consoles are notified, and their live
 * channels end, to be followed again with the new rights.
 */
async function tellHolders(ctx: Context, trx: Trx, roleId: number): Promise<void> {
  const ids = await findHolderIds(trx, roleId);
  afterCommit(trx, () => {
    for (const userId of ids) {
      ctx.live.publish(`private-notifications.${userId}`, 'PermissionsChanged', { user_id: userId });
      ctx.live.closeSockets({ userId });
    }
  });
}

/** What of a role is to be another. */
type Changes = Partial<Pick<Row<'roles'>, 'title' | 'description' | 'scope' | 'start_page'>> & { permissions?: PermissionName[] };

/** Writes these changes of a role that the actor may change, the audit row, and notifies its holders. */
export async function changeRole(
  ctx: Context,
  trx: Trx,
  caller: Caller,
  role: Row<'roles'>,
  { permissions, ...fields }: Changes,
): Promise<void> {
  const at = ctx.clock.now();
  const before = { ...role, permissions: await findRolePermissions(trx, role.id) };
  const after = await trx
    .updateTable('roles')
    .set({ ...fields, updated_at: at })
    .where('id', '=', role.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (permissions) await writePermissions(trx, role.id, permissions);
  await auditRole(trx, caller, at, { action: 'roles.edit', before, after: { ...after, permissions: permissions ?? before.permissions } });
  if (permissions || after.scope !== before.scope) await tellHolders(ctx, trx, role.id);
}

/** Changes what is given of a role; its holders feel it with their next call. Throws as `requireOwnRole`, `requirePermissions`, SCOPE_TOO_WIDE, NAME_TAKEN at `title`. */
export async function editRole(ctx: Context, caller: Caller, id: number, input: Partial<FormData['roles/edit']>): Promise<void> {
  const { actor } = caller;
  const { id: said, permission_id, ...fields } = input;
  if (said !== undefined && said !== id)
    throw new InvalidFields([{ source: 'id', message: 'The number is not the one of the address.', params: { key: 'validation.id' } }]);
  await withUniqueName({ name: input.title ?? '', source: 'title' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const role = await requireOwnRole(trx, actor, id);
      if (fields.scope) assertScope(actor, fields.scope);
      const permissions = permission_id && requirePermissions(actor, permission_id);
      await changeRole(ctx, trx, caller, role, { ...fields, ...(permissions ? { permissions } : {}) });
    }),
  );
}

/**
 * Gives several roles the same permissions in place of their own. Answers the ids of those that it worked for, and why not for the rest.
 * Throws what `requirePermissions` throws.
 */
export async function overwritePermissions(
  ctx: Context,
  caller: Caller,
  input: FormData['roles/overwrite'],
): Promise<{ done: number[]; errors: ErrorItem[] }> {
  const permissions = requirePermissions(caller.actor, input.permission_id);
  const done: number[] = [];
  const errors: ErrorItem[] = [];
  for (const [index, id] of input.role_id.entries()) {
    try {
      await inTransaction(ctx.db, async (trx) => {
        await changeRole(ctx, trx, caller, await requireOwnRole(trx, caller.actor, id), { permissions });
      });
      done.push(id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      errors.push(...error.items.map((item) => ({ ...item, source: `role_id.${index}` })));
    }
  }
  return { done, errors };
}

async function assertNobodyHolds(trx: Trx, actor: Actor, id: number): Promise<void> {
  const { length: count } = await findHolderIds(trx, id);
  if (count === 0) return;
  const names = await findHolderNames(trx, actor, id, MAX_NAMES);
  throw new RoleInUse({ count, names: [...names, ...(count > names.length ? ['…'] : [])].join(', ') });
}

/** Removes a role that nobody holds; invitations to it are void. Throws as `requireOwnRole`, and ROLE_IN_USE. */
export async function removeRole(ctx: Context, caller: Caller, id: number): Promise<void> {
  const { actor } = caller;
  await inTransaction(ctx.db, async (trx) => {
    const role = await requireOwnRole(trx, actor, id);
    await assertNobodyHolds(trx, actor, id);
    const before = { ...role, permissions: await findRolePermissions(trx, id) };
    await trx.deleteFrom('roles').where('id', '=', id).execute();
    await auditRole(trx, caller, ctx.clock.now(), { action: 'roles.remove', before, after: null });
  });
}

export const BuiltInRole = defineError('BUILT_IN_ROLE');

export const OwnRole = defineError('OWN_ROLE');

export const RoleInUse = defineError<{ count: number; names: string }>('ROLE_IN_USE');

export const RoleTooStrong = defineError('ROLE_TOO_STRONG');

export const ScopeTooWide = defineError('SCOPE_TOO_WIDE');

export const PermissionNotHeld = defineError<{ permission: string }>('PERMISSION_NOT_HELD');

export const PermissionReserved = defineError<{ permission: string }>('PERMISSION_RESERVED');

/** What the actor may do with a role that it sees, beside the permission that the route asks for. */
export function judgeRoleChange(
  actor: Pick<Actor, 'permissions' | 'scope'>,
  role: RoleRights,
  isHeldByActor: boolean,
): 'allow' | 'built-in' | 'own' | 'too-strong' {
  if (role.company === null) return 'built-in';
  if (isHeldByActor) return 'own';
  return outranks(actor, role) ? 'allow' : 'too-strong';
}

/** Whether the actor may put a permission into a role: only what it holds, and never the one that the built-in role alone has. */
export function judgePermission(actor: Pick<Actor, 'permissions'>, permission: PermissionName): 'allow' | 'reserved' | 'not-held' {
  if (permission === 'super_admin') return 'reserved';
  return can(actor, permission) ? 'allow' : 'not-held';
}
