import permissionsFile from '../../../schemas/permissions.json' with { type: 'json' };
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';

/** What becomes of somebody whose role stays behind: the built-in one that gives least. */
const GUEST_ID = permissionsFile.roles.find((role) => role.key === 'read_only')?.id ?? 0;

/** Makes guests of the members of moved companies who held a role of a company that is above no more; invitations with such a role are void. */
export async function dropLostRoles(
  ctx: Context,
  trx: Trx,
  { actor, origin }: Caller,
  { companyIds, lost }: { companyIds: readonly number[]; lost: readonly number[] },
): Promise<void> {
  if (lost.length === 0) return;
  const at = ctx.clock.now();
  const roles = trx.selectFrom('roles').select('id').where('company_id', 'in', lost);
  const moved = ctx.database.tools.idList(companyIds);
  const members = await trx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['memberships.user_id', 'memberships.company_id', 'memberships.role_id', 'users.username'])
    .where('memberships.company_id', 'in', moved)
    .where('memberships.role_id', 'in', roles)
    .execute();
  await trx
    .updateTable('memberships')
    .set({ role_id: GUEST_ID, updated_at: at })
    .where('company_id', 'in', moved)
    .where('role_id', 'in', roles)
    .execute();
  await trx.deleteFrom('invitations').where('company_id', 'in', moved).where('role_id', 'in', roles).execute();
  const entries = members.map(({ user_id, company_id, role_id, username }) => ({
    action: 'users.edit',
    entity: 'user',
    entityId: user_id,
    entityName: username,
    companyId: company_id,
    before: { role_id },
    after: { role_id: GUEST_ID },
  }));
  await writeAudit(trx, { actor, origin, at }, entries);
}
