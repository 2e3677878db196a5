import { permissionNames, type PermissionName } from '../../../schemas/_generated/contract.ts';
import type { Row } from '../../db/schema.ts';
import type { Context } from '../../context.ts';
import type { Caller } from '../../kernel/actor.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { requireCompany } from '../../kernel/tenancy.ts';
import { changedTexts, keptNumber, keptText, type Change } from '../../kernel/undo.ts';
import { withUniqueName } from '../../kernel/unique-conflicts.ts';
import { writePermissions } from './repo.ts';
import { assertMayGive, assertScope, auditRole, changeRole, requireOwnRole } from './service.ts';

const keptStart = (before: Change['before']): Row<'roles'>['start_page'] => {
  const kept = before['start_page'];
  return kept === 'home' || kept === 'devices' ? kept : 'last';
};

const keptScope = (before: Change['before']) => (keptText(before, 'scope') === 'tree' ? 'tree' : 'company');

function keptPermissions(before: Change['before']): PermissionName[] {
  const held = new Set(Array.isArray(before['permissions']) ? before['permissions'] : []);
  return permissionNames.filter((name) => held.has(name));
}

/** Sets back what an edit changed of a role. Throws what making that edit throws: see `editRole`. */
export async function revertRole(ctx: Context, { actor, origin }: Caller, change: Change): Promise<void> {
  const { entityId: id, before, isChanged } = change;
  const texts = changedTexts(change, ['title', 'description']);
  await withUniqueName({ name: texts.title ?? '', source: 'title' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const role = await requireOwnRole(trx, actor, id);
      const scope = isChanged('scope') ? keptScope(before) : undefined;
      const permissions = isChanged('permissions') ? keptPermissions(before) : undefined;
      if (scope) assertScope(actor, scope);
      if (permissions) assertMayGive(actor, permissions);
      await changeRole(ctx, trx, { actor, origin }, role, {
        ...texts,
        ...(scope ? { scope } : {}),
        ...(isChanged('start_page') ? { start_page: keptStart(before) } : {}),
        ...(permissions ? { permissions } : {}),
      });
    }),
  );
}

/**
 * Brings a removed role back under its number. Throws NOT_FOUND when its company is out of sight, NAME_TAKEN, SCOPE_TOO_WIDE, and PERMISSION_NOT_HELD
 * for what the actor could not put into a role.
 */
export async function restoreRole(ctx: Context, caller: Caller, { entityId: id, before }: Change): Promise<void> {
  const { actor } = caller;
  const at = ctx.clock.now();
  const title = keptText(before, 'title');
  const scope = keptScope(before);
  const permissions = keptPermissions(before);
  assertMayGive(actor, permissions);
  assertScope(actor, scope);
  await withUniqueName({ name: title, source: 'title' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const company = await requireCompany(trx, actor, keptNumber(before, 'company_id'));
      const role = await trx
        .insertInto('roles')
        .values({
          id,
          name: keptText(before, 'name'),
          title,
          description: keptText(before, 'description'),
          scope,
          start_page: keptStart(before),
          company_id: company.id,
          created_at: keptNumber(before, 'created_at'),
          updated_at: at,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await writePermissions(trx, id, permissions);
      await auditRole(trx, caller, at, { action: 'roles.restore', before: null, after: { ...role, permissions } });
    }),
  );
}
