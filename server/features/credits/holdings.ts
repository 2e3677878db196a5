import { sql, type RawBuilder } from 'kysely';
import type { CreditHolding } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';

/** What is summed up, and the types that belong to it: plain credits, packs, and data in bytes. */
const KINDS = { credits: 'credit_type_id in (1, 2)', packs: 'credit_type_id > 2', data: 'credit_type_id = 0' } as const;
type Kind = keyof typeof KINDS;
const KIND_NAMES = ['credits', 'packs', 'data'] as const satisfies Kind[];
type Sums = Record<Kind, number>;

const own = (kind: Kind): RawBuilder<number> =>
  sql<number>`(select cast(coalesce(sum(balance), 0) as bigint) from credit_accounts
    where kind = 'company' and company_id = companies.id and ${sql.raw(KINDS[kind])})`;

const columns: ListColumns = {
  id: sql.ref('companies.id'),
  sorts: {
    company_name: { by: sql.ref('companies.name') },
    credits_left: { by: own('credits') },
    packs_left: { by: own('packs') },
    remaining_data: { by: own('data') },
  },
  filters: {
    parent_id: (values) => isOneOf(sql.ref('companies.parent_id'), integers(values)),
    level: (values) => isOneOf(sql.ref('companies.level'), integers(values)),
  },
  search: (text) => containsText([sql.ref('companies.name')], text),
};

type Holding = Record<'own' | 'below', Sums>;
const sumWhere = (condition: string): RawBuilder<number> =>
  sql<number>`cast(coalesce(sum(case when ${sql.raw(condition)} then balance end), 0) as bigint)`;

/** What these companies have, and with all below them. Reads the accounts of each company below, beside the event loop. */
async function sumHoldings(ctx: Context, companyIds: readonly number[]): Promise<Map<number, Holding>> {
  if (companyIds.length === 0) return new Map();
  const sums = KIND_NAMES.flatMap((kind) => [
    sumWhere(KINDS[kind]).as(`${kind}_below`),
    sumWhere(`${KINDS[kind]} and below.id = top.id`).as(`${kind}_own`),
  ]);
  // The order of the tables is told: SQLite would begin with the accounts.
  const query = sql<Record<string, number>>`select top.id, ${sql.join(sums)} from companies as top
    cross join companies as below cross join credit_accounts as account
    where top.id in (${sql.join(companyIds)}) and below.path >= top.path and below.path < substr(top.path, 1, length(top.path) - 1) || '0'
      and account.company_id = below.id and account.kind = 'company' group by top.id`;
  const rows = await ctx.database.longReads.rows(query.compile(ctx.reads));
  return new Map(rows.map((row) => [Number(row['id']), { own: readSums(row, 'own'), below: readSums(row, 'below') }]));
}

const readSums = (row: Record<string, number>, part: keyof Holding): Sums => ({
  credits: Number(row[`credits_${part}`]),
  packs: Number(row[`packs_${part}`]),
  data: Number(row[`data_${part}`]),
});
const NOTHING: Sums = { credits: 0, packs: 0, data: 0 };

/** One page of companies that the actor sees, with what each has itself and together with all below it. */
export async function listHoldings(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: CreditHolding[]; total: number }> {
  const base = ctx.reads
    .selectFrom('companies')
    .where(isVisible(actor, 'companies'))
    .select(['companies.id', 'companies.name', 'companies.level']);
  const { rows, total } = await applyListQuery(base, query, columns);
  const holdings = await sumHoldings(
    ctx,
    rows.map((row) => row.id),
  );
  return {
    total,
    rows: rows.map((row) => {
      const { own: mine, below } = holdings.get(row.id) ?? { own: NOTHING, below: NOTHING };
      // Whoever sees one company only is told nothing of those below it.
      const all = actor.scope === 'company' ? mine : below;
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
