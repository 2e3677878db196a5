import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';

/** What a company has, and the credit types that belong to it: plain credits, packs, and data in bytes. */
export const HELD_TYPES = { credits: 'credit_type_id in (1, 2)', packs: 'credit_type_id > 2', data: 'credit_type_id = 0' } as const;
export type HeldKind = keyof typeof HELD_TYPES;
export type Balances = Record<HeldKind, number>;
type HeldRow = { id: number } & Balances;

export const NOTHING_HELD: Balances = { credits: 0, packs: 0, data: 0 };

/** The sums of a query over `credit_accounts`, as columns named by kind. */
export const heldColumns = sql.join(
  (['credits', 'packs', 'data'] as const).map(
    (kind) => sql`cast(coalesce(sum(case when ${sql.raw(HELD_TYPES[kind])} then balance end), 0) as bigint) as ${sql.ref(kind)}`,
  ),
);

/** Rows of `id` and `heldColumns`, by id. */
export const heldById = (rows: readonly HeldRow[]): Map<number, Balances> =>
  new Map(
    rows.map(({ id, ...sums }) => [Number(id), { credits: Number(sums.credits), packs: Number(sums.packs), data: Number(sums.data) }]),
  );

/** What these companies have themselves; those that have nothing may be missing. */
export async function sumHeld(db: Db, companyIds: readonly number[]): Promise<Map<number, Balances>> {
  if (companyIds.length === 0) return new Map();
  const { rows } = await sql<HeldRow>`select company_id as id, ${heldColumns} from credit_accounts
    where company_id in (${sql.join(companyIds)}) and kind = 'company' group by company_id`.execute(db);
  return heldById(rows);
}
