import { sql, type SqlBool } from 'kysely';
import type { RemoteEntry } from '../../../schemas/_generated/contract.ts';
import type { Db } from '../../db/schema.ts';
import { personOf, type Actor } from '../../kernel/actor.ts';
import {
  applyListQuery,
  byText,
  containsText,
  inOrderOf,
  integers,
  isOneOf,
  textKey,
  type ListColumns,
} from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { findRdpPrograms } from '../../domain/remote/rdp-programs.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';

function columnsFor(actor: Actor): ListColumns {
  return {
    id: sql.ref('remote_entries.id'),
    sorts: {
      id: { by: sql.ref('remote_entries.id') },
      name: byText('remote_entries.name'),
      protocol: { by: sql.ref('remote_entries.protocol') },
      device_name: { by: sql.ref('devices.name_key') },
      company_name: byText('companies.name'),
      destination_ip: { by: sql.ref('remote_entries.host') },
      destination_port: { by: sql.ref('remote_entries.port') },
      created_at: { by: sql.ref('remote_entries.created_at') },
    },
    filters: {
      protocol: (values) => isOneOf(sql.ref('remote_entries.protocol'), values),
      device_id: (values) => isOneOf(sql.ref('remote_entries.device_id'), integers(values)),
      company_id: (values) => isWithin(sql.ref('devices.company_id'), integers(values)),
      tag_id: (values) =>
        sql`exists (select 1 from remote_entry_tags
          inner join tags on tags.id = remote_entry_tags.tag_id
          inner join companies as holder on holder.id = tags.company_id
          where remote_entry_tags.entry_id = remote_entries.id and ${isAbove} and ${isVisible(actor, 'tags')}
          and ${isOneOf(sql.ref('remote_entry_tags.tag_id'), integers(values))})`,
      is_favourite: (values) => isOneOf(isFavourite(actor), integers(values)),
    },
    search: (text) => containsText([sql.ref('remote_entries.name'), sql.ref('devices.name'), sql.ref('remote_entries.host')], text),
  };
}

const isFavourite = (actor: Actor) =>
  sql<number>`case when exists (select 1 from remote_favourites where remote_favourites.entry_id = remote_entries.id
    and remote_favourites.user_id = ${personOf(actor)}) then 1 else 0 end`;

export const visibleEntries = (db: Db, actor: Actor) =>
  db
    .selectFrom('remote_entries')
    .innerJoin('devices', 'devices.id', 'remote_entries.device_id')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .where(isVisible(actor, 'devices'));

/** Whether a tag's company, `holder`, is that of a device, `companies`, or above it. After a move the former company's tags are not shown. */
const isAbove = sql<SqlBool>`companies.path like holder.path || '%'`;

/** The tags of entries that the actor sees, by entry. */
async function findTags(db: Db, actor: Actor, ids: readonly number[]) {
  const rows = await db
    .selectFrom('remote_entry_tags')
    .innerJoin('tags', 'tags.id', 'remote_entry_tags.tag_id')
    .innerJoin('companies as holder', 'holder.id', 'tags.company_id')
    .innerJoin('remote_entries', 'remote_entries.id', 'remote_entry_tags.entry_id')
    .innerJoin('devices', 'devices.id', 'remote_entries.device_id')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .where(isAbove)
    .where(isVisible(actor, 'tags'))
    .select(['remote_entry_tags.entry_id', 'tags.id', 'tags.name', 'tags.color'])
    .where('remote_entry_tags.entry_id', 'in', ids)
    .orderBy(textKey(sql.ref('tags.name')))
    .execute();
  return Map.groupBy(rows, ({ entry_id }) => entry_id);
}

async function findEntries(db: Db, actor: Actor, ids: readonly number[]): Promise<RemoteEntry[]> {
  const rows = await visibleEntries(db, actor)
    .selectAll('remote_entries')
    .select([
      'devices.name as device_name',
      'devices.status as device_status',
      'devices.company_id',
      'companies.name as company_name',
      isFavourite(actor).as('is_favourite'),
    ])
    .where('remote_entries.id', 'in', ids)
    .execute();
  const tags = await findTags(db, actor, ids);
  const hasRdp = rows.some(({ protocol }) => protocol === 'rdp') && findRdpPrograms() !== undefined;
  return rows.map((row) => ({
    id: row.id,
    device_id: row.device_id,
    device_name: row.device_name,
    company_id: row.company_id,
    company_name: row.company_name,
    name: row.name,
    protocol: row.protocol,
    destination_ip: row.host,
    destination_port: row.port,
    is_main: row.is_main,
    way: row.way,
    credentials_required: row.credentials_required,
    login_domain: row.login_domain,
    keyboard: row.keyboard,
    login_form: row.login_form,
    can_connect: row.blocked_at === null && (row.protocol !== 'rdp' || hasRdp) ? 1 : 0,
    has_credentials: row.sealed_credentials === null ? 0 : 1,
    state: row.blocked_at === null ? (row.check_state ?? 'unchecked') : 'blocked',
    checked_at: wireTime(row.checked_at),
    device_status: row.device_status,
    is_favourite: Number(row.is_favourite) === 1 ? 1 : 0,
    tags: (tags.get(row.id) ?? []).map(({ id, name, color }) => ({ id, name, color })),
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  }));
}

/** One page of the entries of devices that the actor sees. */
export async function listEntries(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: RemoteEntry[]; total: number }> {
  const { rows, total } = await applyListQuery(visibleEntries(db, actor).select('remote_entries.id'), query, columnsFor(actor));
  const ids = rows.map(({ id }) => id);
  return { rows: inOrderOf(ids, await findEntries(db, actor, ids)), total };
}

/** One entry. Throws NOT_FOUND. */
export async function getEntry(db: Db, actor: Actor, id: number): Promise<RemoteEntry> {
  const [entry] = await findEntries(db, actor, [id]);
  if (!entry) throw new NotFound({});
  return entry;
}
