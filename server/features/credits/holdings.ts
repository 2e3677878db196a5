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

const ownSum = (kind: Kind): RawBuilder<number> =>
  sql<number>`(select cast(coalesce(sum(balance), 0) as bigint) from credit_accounts
    where kind = 'company' and company_id = companies.id and ${sql.raw(KINDS[kind])})`;

const columns: ListColumns = {
  id: sql.ref('companies.id'),
  sorts: {
    company_name: { by: sql.ref('companies.name') },
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

const sumsOf = sql.join(
  KIND_NAMES.map((kind) => sql`cast(coalesce(sum(case when ${sql.raw(KINDS[kind])} then balance end), 0) as bigint) as ${sql.ref(kind)}`),
);
type SumRow = { id: number } & Sums;

const byCompany = (rows: readonly SumRow[]) =>
  new Map(
    rows.map(({ id, ...sums }) => [Number(id), { credits: Number(sums.credits), packs: Number(sums.packs), data: Number(sums.data) }]),
  );

/** What these companies have themselves. */
async function sumOwn(ctx: Context, companyIds: readonly number[]): Promise<Map<number, Sums>> {
  const { rows } = await sql<SumRow>`select company_id as id, ${sumsOf} from credit_accounts
    where company_id in (${sql.join(companyIds)}) and kind = 'company' group by company_id`.execute(ctx.reads);
  return byCompany(rows);
}

/** What these companies have together with all below them. Reads the accounts of each company below, beside the event loop. */
async function sumBelow(ctx: Context, companyIds: readonly number[]): Promise<Map<number, Sums>> {
  // The order of the tables is told: SQLite would begin with the accounts.
  const query = sql<SumRow>`select top.id, ${sumsOf} from companies as top
    cross join companies as below cross join credit_accounts as account
    where top.id in (${sql.join(companyIds)}) and below.path >= top.path and below.path < substr(top.path, 1, length(top.path) - 1) || '0'
      and account.company_id = below.id and account.kind = 'company' group by top.id`;
  return byCompany(await ctx.database.longReads.rows(query.compile(ctx.reads)));
}

const NOTHING: Sums = { credits: 0, packs: 0, data: 0 };

/** One page of companies that the actor sees, with what each has itself and together with all below it. */
export async function listHoldings(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: CreditHolding[]; total: number }> {
  const base = ctx.reads
    .selectFrom('companies')
    .where(isVisible(actor, 'companies'))
    .select(['companies.id', 'companies.name', 'companies.level']);
  const { rows, total } = await applyListQuery(base, query, columns);
  const ids = rows.map((row) => row.id);
  const own = ids.length === 0 ? new Map<number, Sums>() : await sumOwn(ctx, ids);
  // Whoever sees one company only is told nothing of those below it.
  const below = actor.scope === 'company' || ids.length === 0 ? own : await sumBelow(ctx, ids);
  return {
    total,
    rows: rows.map((row) => {
      const mine = own.get(row.id) ?? NOTHING;
      const all = below.get(row.id) ?? NOTHING;
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
