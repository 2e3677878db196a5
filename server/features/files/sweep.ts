import type { Context } from '../../context.ts';
import { HOUR } from '../../kernel/clock.ts';
import { findUnusedKeys } from './repo.ts';

const CHUNK = 500;

async function removeUnused(ctx: Context, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  for (const key of await findUnusedKeys(ctx.db, keys)) await ctx.files.remove(key);
}

/**
 * Removes contents that no file has: a process ended between keeping the bytes and writing the row, or between removing the row and the bytes.
 * Beside other processes, the last hour is left alone: one of them may be about to write the row.
 */
export async function sweepFiles(ctx: Context): Promise<void> {
  const isAlone = ctx.config.databaseUrl === undefined;
  let keys: string[] = [];
  for await (const key of ctx.files.keysBefore(isAlone ? Infinity : Date.now() - HOUR)) {
    keys.push(key);
    if (keys.length < CHUNK) continue;
    await removeUnused(ctx, keys);
    keys = [];
  }
  await removeUnused(ctx, keys);
}
