import { expect, test } from 'vitest';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { inTransaction, openDatabase } from './database.ts';

test('a query on the outer connection inside a transaction is refused, where it would wait for ever', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'canopy-database-'));
  await using database = openDatabase({ url: undefined, dataDir: folder.path });
  const { db } = database;
  await expect(inTransaction(db, () => sql`select 1`.execute(db))).rejects.toThrow('outer connection inside a transaction');
  const later = await inTransaction(db, async (trx) => {
    await sql`create table things (id integer)`.execute(trx);
    return { run: () => sql`select * from things`.execute(db) };
  });
  expect((await later.run()).rows).toEqual([]);
});
