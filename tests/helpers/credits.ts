import { sql } from 'kysely';
import type { Caller } from './as.ts';
import type { World } from './world.ts';

/** The body that adds paid plain credits to a company. */
export const paid = (company_id: number, credit_count: number) => ({
  credit_type_id: 2,
  credit_count,
  company_id,
  credit_price: 9.99,
  pro_form_nr: 'PF-1',
});
/** The body that moves paid plain credits. */
export const move = (source: number, target: number, amount: number) => ({ credit_type_name: 'credit', source, target, amount });

/** What a company has left of the type that is listed first. */
export async function left(caller: Caller, company_id: number): Promise<number> {
  const { data } = await caller.get('/credits', { company_id });
  return data[0]?.credit_left ?? 0;
}

/** Puts paid plain credits of a company into a code. */
export async function makeCode(caller: Caller, company_id: number, amount: number): Promise<{ id: number; code: string }> {
  const { data } = await caller.post('/credits/codes', { credit_type_name: 'credit', company_id, amount });
  const codes = await caller.get('/credits/codes', { company_id, sort: '-created_at' });
  return { id: Math.max(...codes.data.map((row: { id: number }) => row.id)), code: data.code };
}

/** All entries and balances added up, and the lowest balance of an account that may not be below zero. */
export async function sums(world: World): Promise<{ entries: number; balances: number; lowest: number }> {
  const { db } = world.ctx;
  const { entries } = await db
    .selectFrom('credit_entries')
    .select(sql<number>`coalesce(sum(amount), 0)`.as('entries'))
    .executeTakeFirstOrThrow();
  const accounts = await db.selectFrom('credit_accounts').select(['kind', 'balance']).execute();
  return {
    entries: Number(entries),
    balances: accounts.reduce((sum, account) => sum + account.balance, 0),
    lowest: Math.min(0, ...accounts.filter((account) => account.kind !== 'issued').map((account) => account.balance)),
  };
}

/** What `sums` gives of a ledger that is in order. */
export const BALANCED = { entries: 0, balances: 0, lowest: 0 };
