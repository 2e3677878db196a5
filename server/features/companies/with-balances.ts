import type { Company } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { NOTHING_HELD, sumHeld } from '../../domain/credit-sums.ts';
import { presentCompany, type CompanyRow } from './present.ts';

/** Companies as the actor sees them, with what each has itself of credits, packs and data, as far as the actor may know. */
export async function withBalances(ctx: Context, actor: Actor, rows: readonly CompanyRow[]): Promise<Company[]> {
  const seesCredits = can(actor, 'view_credits');
  const seesData = can(actor, 'view_company_data_history');
  const ids = rows.map((row) => row.id);
  const held = await sumHeld(ctx.reads, seesCredits || seesData ? ids : []);
  return rows.map((row) => {
    const { credits, packs, data } = held.get(row.id) ?? NOTHING_HELD;
    return {
      ...presentCompany(row, actor),
      ...(seesCredits ? { credits_left: credits, packs_left: packs } : {}),
      ...(seesData ? { remaining_data: data } : {}),
    };
  });
}
