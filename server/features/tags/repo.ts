import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { TagRow } from './present.ts';

/** A tag sits on devices of its company and below: who sees only one company gets the devices in it. */
function devicesCount(actor: Actor): RawBuilder<number> {
  if (actor.scope !== 'company') return sql<number>`(select count(*) from device_tags where device_tags.tag_id = tags.id)`;
  return sql<number>`(select count(*) from device_tags inner join devices on devices.id = device_tags.device_id
    where device_tags.tag_id = tags.id and ${isVisible(actor, 'devices')})`;
}

function columnsFor(actor: Actor): ListColumns {
  return {
    id: sql.ref('tags.id'),
    sorts: {
      id: { by: sql.ref('tags.id') },
      name: byText('tags.name'),
      company_name: byText('companies.name'),
      devices_count: { by: devicesCount(actor) },
      device_count: { by: devicesCount(actor) },
      created_at: { by: sql.ref('tags.created_at') },
    },
    filters: {
      company_id: (values) => isOneOf(sql.ref('tags.company_id'), integers(values)),
      // Those of the company itself and of the ones above it: what devices there can carry.
      used_in: (values) =>
        sql`exists (select 1 from (select companies.path from companies where ${isOneOf(sql.ref('companies.id'), integers(values))}
          and ${isVisible(actor, 'companies')}) as below where substr(below.path, 1, length(companies.path)) = companies.path)`,
    },
    search: (text) => containsText([sql.ref('tags.name'), sql.ref('tags.description')], text),
  };
}

/** The tags with these ids that the actor sees. */
export async function findTags(db: Db, actor: Actor, ids: readonly number[]): Promise<TagRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('tags')
    .innerJoin('companies', 'companies.id', 'tags.company_id')
    .selectAll('tags')
    .select(['companies.name as company_name', devicesCount(actor).as('devices_count')])
    .where('tags.id', 'in', ids)
    .where(isVisible(actor, 'tags'))
    .execute();
}

/** One page of the tags that the actor sees. */
export async function listTags(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: TagRow[]; total: number }> {
  const base = db
    .selectFrom('tags')
    .innerJoin('companies', 'companies.id', 'tags.company_id')
    .where(isVisible(actor, 'tags'))
    .select('tags.id');
  const { rows, total } = await applyListQuery(base, query, columnsFor(actor));
  const ids = rows.map((row) => row.id);
  return { rows: inOrderOf(ids, await findTags(db, actor, ids)), total };
}

/** Enrolment codes that can still be used and put this tag on the devices that join by them. */
export async function findCodesWithTag(db: Db, actor: Actor, tagId: number, now: number): Promise<{ id: number; hint: string }[]> {
  return (
    db
      .selectFrom('enrolment_codes')
      .select(['enrolment_codes.id', 'enrolment_codes.hint'])
      .where(isVisible(actor, 'enrolment_codes'))
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .whereRef('used', '<', 'uses')
      // `[3,14]` → `,3,14,`
      .where(sql<SqlBool>`',' || substr(tag_ids, 2, length(tag_ids) - 2) || ',' like ${`%,${tagId},%`}`)
      .orderBy('enrolment_codes.id')
      .execute()
  );
}

/** The devices that carry a tag. */
export async function findTaggedDevices(db: Db, tagId: number): Promise<number[]> {
  const rows = await db.selectFrom('device_tags').select('device_id').where('tag_id', '=', tagId).orderBy('device_id').execute();
  return rows.map((row) => row.device_id);
}
