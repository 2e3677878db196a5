import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import { MINUTE, wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';

/** Rows wait so long before they are sealed: a transaction that began earlier may still commit a lower id. */
const REST_MS = 2 * MINUTE;
const ROWS_A_SEAL = 5_000;
const ROWS_HASHED_AT_ONCE = 250;

type Seal = Row<'audit_seals'>;

/** One text for a row, its members in an order that never changes. */
function lineOf(row: Row<'audit'>): string {
  const { id, at, actor_id, actor_name, on_behalf_of, action, entity, entity_id, entity_name, company_id, left_for_id } = row;
  const { before, after, ip, token_name, request_id, form, undoes } = row;
  const who = [id, at, actor_id, actor_name, on_behalf_of, token_name, ip, request_id, form];
  return JSON.stringify([...who, action, entity, entity_id, entity_name, company_id, left_for_id, before, after, undoes]);
}

function hashOf(previous: string, rows: readonly Row<'audit'>[]): string {
  const hash = createHash('sha256').update(previous);
  for (const row of rows) hash.update('\n').update(lineOf(row));
  return hash.digest('hex');
}

const findLast = (db: Db): Promise<Seal | undefined> =>
  db.selectFrom('audit_seals').selectAll().orderBy('last_id', 'desc').limit(1).executeTakeFirst();

/** Seals the rows that have rested, a part of them at a time; answers how many. */
export async function sealHistory(ctx: Context): Promise<number> {
  const now = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const last = await findLast(trx);
    const rows = await trx
      .selectFrom('audit')
      .selectAll()
      .where('id', '>', last?.last_id ?? 0)
      .orderBy('id')
      .limit(ROWS_A_SEAL)
      .execute();
    const young = rows.findIndex((row) => row.at > now - REST_MS);
    const rested = young === -1 ? rows : rows.slice(0, young);
    const [first, newest] = [rested[0], rested.at(-1)];
    if (!first || !newest) return 0;
    const previous = last?.hash ?? '';
    await trx
      .insertInto('audit_seals')
      .values({
        first_id: first.id,
        last_id: newest.id,
        count: rested.length,
        last_at: newest.at,
        previous,
        hash: hashOf(previous, rested),
        sealed_at: now,
      })
      // Another server was faster.
      .onConflict((conflict) => conflict.column('first_id').doNothing())
      .execute();
    return rested.length;
  });
}

const ROWS_A_PIECE = 500;

/** Removes the rows of seals that are older than the history is kept; their seals stay, so the chain stays whole. */
export async function expireHistory(ctx: Context): Promise<void> {
  const { historyMs } = ctx.config;
  if (historyMs === undefined) return;
  const old = await ctx.reads
    .selectFrom('audit_seals')
    .select(['id', 'first_id', 'last_id'])
    .where((eb) => eb.or([eb('expired', '=', 0), eb.exists(eb.selectFrom('audit').select('id').whereRef('audit.id', '=', 'first_id'))]))
    .where('last_at', '<', ctx.clock.now() - historyMs)
    .orderBy('id')
    .execute();
  for (const { id, first_id: first, last_id: last } of old) {
    await ctx.db.updateTable('audit_seals').set({ expired: 1 }).where('id', '=', id).execute();
    // The first row goes last: by it a server that stopped in between finds what is left.
    for (let end = last; end > first; end -= ROWS_A_PIECE) {
      await ctx.db
        .deleteFrom('audit')
        .where('id', '>', Math.max(first, end - ROWS_A_PIECE))
        .where('id', '<=', end)
        .execute();
      await nextTurn();
    }
    await ctx.db.deleteFrom('audit').where('id', '=', first).execute();
  }
}

/** What a check of the chain came to. */
export interface HistoryCheck {
  is_whole: boolean;
  /** Rows under seals that are kept. */
  count: number;
  /** Until when rows are sealed. */
  sealed_until: string | null;
  /** The first seal that does not hold. */
  broken: { first_id: number; last_id: number; why: 'seal' | 'rows' } | null;
}

/** The hash of the rows of a seal, read in pieces that hold nobody up. */
async function hashStored(ctx: Context, previous: string, { after, last }: { after: number; last: number }) {
  const hash = createHash('sha256').update(previous);
  let count = 0;
  for (let read = after; ;) {
    const rows = await ctx.reads
      .selectFrom('audit')
      .selectAll()
      .where('id', '>', read)
      .where('id', '<=', last)
      .orderBy('id')
      .limit(ROWS_HASHED_AT_ONCE)
      .execute();
    for (const row of rows) hash.update('\n').update(lineOf(row));
    count += rows.length;
    read = rows.at(-1)?.id ?? read;
    if (rows.length < ROWS_HASHED_AT_ONCE) return { count, hash: hash.digest('hex') };
    await nextTurn();
  }
}

/** Reads the whole history and says whether each row and seal is as it was sealed. */
export async function checkHistory(ctx: Context): Promise<HistoryCheck> {
  const seals = await ctx.reads.selectFrom('audit_seals').selectAll().orderBy('id').execute();
  let previous = '';
  let lastId = 0;
  let count = 0;
  for (const seal of seals) {
    const { first_id, last_id } = seal;
    const broken = (why: 'seal' | 'rows'): HistoryCheck => ({
      is_whole: false,
      count,
      sealed_until: wireTime(seal.last_at),
      broken: { first_id, last_id, why },
    });
    if (seal.previous !== previous || first_id <= lastId) return broken('seal');
    if (seal.expired === 0) {
      const stored = await hashStored(ctx, previous, { after: lastId, last: last_id });
      if (stored.count !== seal.count || stored.hash !== seal.hash) return broken('rows');
      count += stored.count;
    }
    previous = seal.hash;
    lastId = last_id;
  }
  return { is_whole: true, count, sealed_until: wireTime(seals.at(-1)?.last_at ?? null), broken: null };
}
