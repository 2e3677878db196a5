import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import type { Db, Trx } from '../../db/schema.ts';
import { hashToken, isSameText, randomToken } from '../../kernel/auth/tokens.ts';
import { inTransaction } from '../../kernel/db/database.ts';

const KEY = 'set_up_token';

function fileOf(ctx: Pick<Context, 'config'>): string {
  return join(ctx.config.dataDir, 'set-up-token');
}

/** Whether nobody can sign in yet. */
export async function isSetUpNeeded(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined;
}

/**
 * While there is no user: makes a new one-time token for the first administrator, keeps its hash, writes it to DATA_DIR/set-up-token for
 * the machine's owner and answers it. Undefined once there is a user.
 */
export async function issueSetUpToken(ctx: Pick<Context, 'config' | 'db'>): Promise<string | undefined> {
  if (!(await isSetUpNeeded(ctx.db))) return undefined;
  const token = randomToken();
  const value = hashToken(token);
  await inTransaction(ctx.db, async (trx) => {
    await trx
      .insertInto('installation')
      .values({ key: KEY, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  });
  rmSync(fileOf(ctx), { force: true });
  writeFileSync(fileOf(ctx), `${token}\n`, { mode: 0o600 });
  return token;
}

/** Uses the token up; false when it is not the one. Of many uses at once only one succeeds. */
export async function consumeSetUpToken(trx: Trx, token: string): Promise<boolean> {
  const kept = await trx.selectFrom('installation').select('value').where('key', '=', KEY).executeTakeFirst();
  if (!kept || !isSameText(kept.value, hashToken(token))) return false;
  const { numDeletedRows } = await trx.deleteFrom('installation').where('key', '=', KEY).where('value', '=', kept.value).executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Removes the file with the used token. */
export function forgetSetUpToken(ctx: Pick<Context, 'config'>): void {
  rmSync(fileOf(ctx), { force: true });
}
