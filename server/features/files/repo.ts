import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import type { FileRow } from '../../domain/files/present-file.ts';
import { visibleFiles } from '../../domain/files/visible-files.ts';

const columns: ListColumns = {
  id: sql.ref('files.id'),
  sorts: {
    id: { by: sql.ref('files.id') },
    name: byText('files.name'),
    type: { by: sql.ref('files.type') },
    file_size: { by: sql.ref('files.size') },
    company_name: { ...byText('companies.name'), isNullable: true },
    device_model: { by: sql.ref('files.device_model'), isNullable: true },
    version: { by: sql.ref('files.version'), isNullable: true },
    created_at: { by: sql.ref('files.created_at') },
  },
  filters: {
    company_id: (values) => isOneOf(sql.ref('files.company_id'), integers(values)),
    device_id: (values) => isOneOf(sql.ref('files.device_id'), integers(values)),
    type: (values) => isOneOf(sql.ref('files.type'), values),
    owner: (values) =>
      isOneOf(sql`case when files.company_id is null then 'global' when files.device_id is null then 'company' else 'device' end`, values),
  },
  search: (text) => containsText([sql.ref('files.name'), sql.ref('files.description')], text),
};

/** The files with these ids that the actor sees. A device that went to another company is not named any more. */
export async function findFiles(db: Db, actor: Actor, ids: readonly number[]): Promise<FileRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('files')
    .leftJoin('companies', 'companies.id', 'files.company_id')
    .leftJoin('devices', (join) => join.onRef('devices.id', '=', 'files.device_id').onRef('devices.company_id', '=', 'files.company_id'))
    .selectAll('files')
    .select(['companies.name as company_name', 'devices.name as device_name'])
    .where('files.id', 'in', ids)
    .where(visibleFiles(actor))
    .execute();
}

/** One page of the files that the actor sees; `isGlobal`: of those of the whole installation. */
export async function listFiles(
  db: Db,
  actor: Actor,
  query: ListQuery,
  { isGlobal }: { isGlobal: boolean },
): Promise<{ rows: FileRow[]; total: number }> {
  const visible = db
    .selectFrom('files')
    .leftJoin('companies', 'companies.id', 'files.company_id')
    .where(visibleFiles(actor))
    .select('files.id');
  const base = isGlobal ? visible.where('files.company_id', 'is', null) : visible;
  const { rows, total } = await applyListQuery(base, query, columns);
  const ids = rows.map((row) => row.id);
  return { rows: inOrderOf(ids, await findFiles(db, actor, ids)), total };
}

/** Which of these keys of the file store no file has. */
export async function findUnusedKeys(db: Db, keys: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('files').select('content_key').where('content_key', 'in', keys).execute();
  const used = new Set(rows.map((row) => row.content_key));
  return keys.filter((key) => !used.has(key));
}
