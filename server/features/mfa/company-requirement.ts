import type { Context } from '../../context.ts';
import type { Caller, Actor } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { isMfaDemanded } from '../../kernel/auth/required-actions.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { pathEnd, requireCompany } from '../../kernel/tenancy.ts';

/** Whether a company requires a second factor of its people and of those below; `is_inherited`: a company above does anyway. */
export interface MfaDemand {
  id: number;
  name: string;
  requires_mfa: boolean;
  is_inherited: boolean;
}

/** What a company demands. Throws NOT_FOUND. */
export async function getDemand(ctx: Context, actor: Actor, id: number): Promise<MfaDemand> {
  const company = await requireCompany(ctx.reads, actor, id);
  const above = company.path.slice(0, -`${company.id}/`.length);
  const is_inherited = above !== '/' && (await isMfaDemanded(ctx.reads, { companyPath: above }));
  return { id: company.id, name: company.name, requires_mfa: company.requires_mfa === 1, is_inherited };
}

/**
 * Sets whether the people of a company, and of those below, need a second factor. A person without one is cut off until it is set up.
 * Throws NOT_FOUND.
 */
export async function setDemand(ctx: Context, { actor, origin }: Caller, id: number, requiresMfa: boolean): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireCompany(trx, actor, id);
    const requires_mfa = requiresMfa ? 1 : 0;
    if (before.requires_mfa === requires_mfa) return;
    await trx.updateTable('companies').set({ requires_mfa, updated_at: at }).where('id', '=', id).execute();
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'companies.second-factor',
        entity: 'company',
        entityId: id,
        entityName: before.name,
        companyId: id,
        before,
        after: { ...before, requires_mfa, updated_at: at },
      },
    ]);
    if (!requiresMfa) return;
    const people = await trx
      .selectFrom('memberships')
      .innerJoin('companies', 'companies.id', 'memberships.company_id')
      .select('memberships.user_id')
      .where('companies.path', '>=', before.path)
      .where('companies.path', '<', pathEnd(before.path))
      .execute();
    // Consoles that still may open their live connections again at once.
    afterCommit(trx, () => people.forEach((person) => ctx.live.closeSockets({ userId: person.user_id })));
  });
}
