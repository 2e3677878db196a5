import type { Context } from '../../context.ts';
import type { Origin } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { unreadablePattern } from './rule-patterns.ts';
import { ruleOf } from './stored-rule.ts';

const BY_SYSTEM: Origin = { ip: '', requestId: '', userAgent: '' };

/** Turns off rules that an older version let have an expression which cannot be used; the history and the log say why. */
export async function switchOffUnreadable(ctx: Context): Promise<void> {
  const at = ctx.clock.now();
  const rows = await ctx.db
    .selectFrom('automations')
    .selectAll()
    .where('is_enabled', '=', 1)
    .where('rule', 'like', '%"matches"%')
    .execute();
  for (const row of rows) {
    const { branches } = ruleOf(row);
    const unreadable = unreadablePattern(branches);
    if (!unreadable) continue;
    const reason = `${unreadable.source}: ${unreadable.fault.message}`;
    await inTransaction(ctx.db, async (trx) => {
      await trx.updateTable('automations').set({ is_enabled: 0, updated_at: at }).where('id', '=', row.id).execute();
      const entry = {
        action: 'automations.disable',
        entity: 'automation',
        entityId: row.id,
        entityName: row.name,
        companyId: row.company_id,
      };
      const [before, after] = [{ is_enabled: 1 }, { is_enabled: 0, reason }];
      await writeAudit(trx, { actor: null, origin: BY_SYSTEM, at }, [{ ...entry, before, after }]);
    });
    ctx.log.warn({ automation: row.id, reason }, 'an automation was turned off: its expression cannot be used');
  }
}
