import { createHash } from 'node:crypto';
import type { Db, Row, Trx } from '../../db/schema.ts';

export type Version = Row<'form_versions'>;

/** The hash that names a text, hexadecimal. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The newest version of a form; undefined for a form that never had one. */
export function findLatest(db: Db, id: string): Promise<Version | undefined> {
  return db.selectFrom('form_versions').selectAll().where('form_id', '=', id).orderBy('number', 'desc').limit(1).executeTakeFirst();
}

/** Every version of a form, newest first, without its text. */
export function findVersions(db: Db, id: string) {
  return db
    .selectFrom('form_versions')
    .select(['number', 'sha256', 'user_id', 'user_name', 'note', 'at'])
    .where('form_id', '=', id)
    .orderBy('number', 'desc')
    .execute();
}

export function findVersion(db: Db, id: string, number: number): Promise<Version | undefined> {
  return db.selectFrom('form_versions').selectAll().where('form_id', '=', id).where('number', '=', number).executeTakeFirst();
}

/** Adds a version after the newest one; a text that is the newest already adds none. Returns the version in use. */
export async function addVersion(trx: Trx, version: Omit<Version, 'number' | 'sha256'>): Promise<Version> {
  const latest = await findLatest(trx, version.form_id);
  const sha256 = hashOf(version.text);
  if (latest?.sha256 === sha256) return latest;
  return trx
    .insertInto('form_versions')
    .values({ ...version, sha256, number: (latest?.number ?? 0) + 1 })
    .returningAll()
    .executeTakeFirstOrThrow();
}
