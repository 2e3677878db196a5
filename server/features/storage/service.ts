import { sql } from 'kysely';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';

// docs/behaviour.md section 9: the console loads at most 100 settings.
const MAX_SETTINGS = 100;
const MAX_BYTES = 32 * 1024;

export interface Setting {
  key: string;
  value: JsonValue;
}

const presentSetting = (row: Pick<Row<'storage'>, 'key' | 'value'>): Setting => ({
  key: row.key,
  value: JSON.parse(row.value) as JsonValue,
});

/** One page of the actor's own settings, by key. */
export async function listSettings(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: Setting[]; total: number }> {
  const own = ctx.reads.selectFrom('storage').where('user_id', '=', actor.userId);
  const isDescending = query.sort[0]?.isDescending === true;
  const rows = await own
    .select(['key', 'value'])
    .orderBy('key', isDescending ? 'desc' : 'asc')
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  const { total } = await own.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  return { rows: rows.map(presentSetting), total };
}

function encode(value: unknown): string {
  const text = stringify(value);
  if (text === undefined || Buffer.byteLength(text) > MAX_BYTES)
    throw new InvalidFields([
      { source: 'value', message: `A setting may be at most ${MAX_BYTES} bytes long.`, params: { max: MAX_BYTES } },
    ]);
  return text;
}

function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Nested so deeply that the stack ends.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Sets one of the actor's own settings. Throws INVALID_FIELD when it is too long or one too many. */
export async function saveSetting(ctx: Context, actor: Actor, key: string, value: unknown): Promise<void> {
  const row = { value: encode(value), updated_at: ctx.clock.now() };
  await inTransaction(ctx.db, async (trx) => {
    const own = trx.selectFrom('storage').where('user_id', '=', actor.userId);
    const { others } = await own
      .where('key', '<>', key)
      .select(sql<number>`count(*)`.as('others'))
      .executeTakeFirstOrThrow();
    if (others >= MAX_SETTINGS)
      throw new InvalidFields([{ source: 'key', message: `At most ${MAX_SETTINGS} settings are kept.`, params: { max: MAX_SETTINGS } }]);
    await trx
      .insertInto('storage')
      .values({ user_id: actor.userId, key, ...row })
      .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet(row))
      .execute();
  });
}

/** Removes one of the actor's own settings; nothing happens when it is gone already. */
export async function removeSetting(ctx: Context, actor: Actor, key: string): Promise<void> {
  await ctx.db.deleteFrom('storage').where('user_id', '=', actor.userId).where('key', '=', key).execute();
}
