import { existsSync } from 'node:fs';
import { ConfigError } from './config.ts';
import type { Db, Trx } from './db/schema.ts';
import { inTransaction } from './kernel/db/database.ts';
import { openSealed, sealText } from './kernel/seal.ts';
import { findSecretKey, loadSecretKey } from './kernel/secret-key.ts';
import { rewriteSealed } from './sealed-values.ts';

/** The row of `installation` with a text that only the right key opens. */
const ROW = 'secret_key_check';
const PURPOSE = 'key check';
const TEXT = 'canopy';

function opens(key: Buffer | undefined, purpose: string, sealed: string): boolean {
  if (!key) return false;
  try {
    openSealed(key, purpose, sealed);
    return true;
  } catch {
    return false;
  }
}

/** Whether the database belongs to this key, by the value that is kept for that; undefined where an earlier version kept none. */
async function isKeptKey(trx: Trx, key: Buffer | undefined): Promise<boolean | undefined> {
  const kept = await trx.selectFrom('installation').select('value').where('key', '=', ROW).executeTakeFirst();
  return kept && opens(key, PURPOSE, kept.value);
}

/** Whether nothing of what is sealed opens. One value that does is enough: others may come from a key that was lost before. */
async function isAllUnreadable(trx: Trx, key: Buffer | undefined): Promise<boolean> {
  let sealed = 0;
  let opened = 0;
  await rewriteSealed(trx, (purpose, text) => {
    sealed += 1;
    if (opened === 0 && opens(key, purpose, text)) opened += 1;
    return text;
  });
  return sealed > 0 && opened === 0;
}

function insertCheck(trx: Trx, key: Buffer) {
  return trx.insertInto('installation').values({ key: ROW, value: sealText(key, PURPOSE, TEXT) });
}

/** Remembers this key as the one that the database belongs to, instead of the former one. */
export async function replaceKeyCheck(trx: Trx, key: Buffer): Promise<void> {
  await trx.deleteFrom('installation').where('key', '=', ROW).execute();
  await insertCheck(trx, key).execute();
}

function refusal(file: string, key: Buffer | undefined): ConfigError {
  const what = key ? 'another key than the one this database was used with' : 'there is no key, and this database was used with one';
  const remedy = existsSync(`${file}.next`)
    ? 'A change of the key was interrupted: run "node server/rotate-key.ts" again'
    : 'Put the right one back from its back-up; docs/operations.md says what to do when it is lost';
  return new ConfigError(`SECRET_KEY_FILE="${file}": ${what}. ${remedy}.`);
}

/**
 * The secret key that belongs to a database; a new one for a database that was used with none. Throws ConfigError when the file is missing or holds
 * another key: everything that is sealed would be unreadable.
 */
export async function loadKeyOf(db: Db, file: string): Promise<Buffer> {
  const found = findSecretKey(file);
  return inTransaction(db, async (trx) => {
    const isKept = await isKeptKey(trx, found);
    if (isKept === false || (isKept === undefined && (await isAllUnreadable(trx, found)))) throw refusal(file, found);
    const key = found ?? loadSecretKey(file);
    if (isKept) return key;
    await insertCheck(trx, key)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Another process with a key of its own may have been first.
    if (!(await isKeptKey(trx, key))) throw refusal(file, key);
    return key;
  });
}
