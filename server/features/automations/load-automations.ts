import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import { SECOND } from '../../kernel/clock.ts';
import { liveAutomation, type LiveAutomation } from './stored-rule.ts';

/** Another process may have changed an automation. */
const RELOAD_MS = 10 * SECOND;

/** The automations that are on; read again after a while, because another process may have changed them. */
export function createLoader(ctx: Context) {
  let automations: readonly LiveAutomation[] = [];
  let loadedAt = Number.NEGATIVE_INFINITY;
  return {
    forget(): void {
      loadedAt = Number.NEGATIVE_INFINITY;
    },
    async load(db: Trx | Context['db']): Promise<readonly LiveAutomation[]> {
      const now = ctx.clock.now();
      if (now < loadedAt + RELOAD_MS) return automations;
      const rows = await db
        .selectFrom('automations')
        .innerJoin('companies', 'companies.id', 'automations.company_id')
        .selectAll('automations')
        .select('companies.path as company_path')
        .where('automations.is_enabled', '=', 1)
        .where('automations.created_by', 'is not', null)
        .where('companies.path', '>=', '/')
        .execute();
      automations = rows.map(liveAutomation);
      loadedAt = now;
      return automations;
    },
  };
}
