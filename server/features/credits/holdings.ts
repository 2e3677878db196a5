import { sql, type RawBuilder } from 'kysely';
import type { CreditHolding } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { HELD_TYPES, heldById, heldColumns, NOTHING_HELD, sumHeld, type Balances, type HeldKind } from '../../domain/credit-sums.ts';
import { isVisible } from '../../kernel/tenancy.ts';

const ownSum = (kind: HeldKind): RawBuilder<number> =>
  sql<number>`(select cast(coalesce(sum(balance), 0) as bigint) from credit_accounts
    where kind = 'company' and company_id = companies.id and ${sql.raw(HELD_TYPES[kind])})`;

const columns: ListColumns = {
  id: sql.ref('companies.id'),
  sorts: {
    company_name: byText('companies.name'),
    credits_left: { by: ownSum('credits') },
    packs_left: { by: ownSum('packs') },
    remaining_data: { by: ownSum('data') },
  },
  filters: {
    parent_id: (values) => isOneOf(sql.ref('companies.parent_id'), integers(values)),
    level: (values) => isOneOf(sql.ref('companies.level'), integers(values)),
  },
  search: (text) => containsText([sql.ref('companies.name')], text),
};

/** What these companies have together with all below them. Reads the accounts of each company below, beside the event loop. */
async function sumBelow(ctx: Context, companyIds: readonly number[]): Promise<Map<number, Balances>> {
  // The order of the tables is fixed: SQLite would begin with the accounts.
  const query = sql<{ id: number } & Balances>`select top.id, ${heldColumns} from companies as top
    cross join companies as below cross join credit_accounts as account
    where top.id in (${sql.join(companyIds)}) and below.path >= top.path and below.path < substr(top.path, 1, length(top.path) - 1) || '0'
      and account.company_id = below.id and account.kind = 'company' group by top.id`;
  return heldById(await ctx.database.longReads.rows(query.compile(ctx.reads)));
}

/** One page of companies that the actor sees, with what each has itself and together with all below it. */
export async function listHoldings(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: CreditHolding[]; total: number }> {
  const base = ctx.reads
    .selectFrom('companies')
    .where(isVisible(actor, 'companies'))
    .select(['companies.id', 'companies.name', 'companies.level']);
  const { rows, total } = await applyListQuery(base, query, columns);
  const ids = rows.map((row) => row.id);
  const own = await sumHeld(ctx.reads, ids);
  // People who see one company only get nothing of those below it.
  const below = actor.scope === 'company' || ids.length === 0 ? own : await sumBelow(ctx, ids);
  return {
    total,
    rows: rows.map((row) => {
      const mine = own.get(row.id) ?? NOTHING_HELD;
      const all = below.get(row.id) ?? NOTHING_HELD;
      return {
        id: row.id,
        company_id: row.id,
        company_name: row.name,
        level: row.level,
        credits_left: mine.credits,
        credits_below: all.credits,
        packs_left: mine.packs,
        packs_below: all.packs,
        remaining_data: mine.data,
        data_below: all.data,
      };
    }),
  };
}
