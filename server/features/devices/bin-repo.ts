import { sql } from 'kysely';
import type { RemovedDevice } from '../../../schemas/_generated/contract.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, containsText, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { KEPT_MS } from './bin.ts';

const columns: ListColumns = {
  id: sql.ref('devices.id'),
  sorts: {
    name: { by: sql.ref('devices.name_key') },
    serial: { by: sql.ref('devices.serial') },
    removed_at: { by: sql.ref('removed_devices.removed_at') },
  },
  filters: {},
  search: (text) => containsText([sql.ref('devices.name'), sql.ref('devices.serial'), sql.ref('devices.mac')], text),
};

/** Whether a device with this serial number has joined the company, or one below it, since. */
const hasJoined = sql<number>`case when exists (select 1 from devices as newer inner join companies as place on place.id = newer.company_id
  where newer.serial = devices.serial and place.path >= companies.path
  and place.path < substr(companies.path, 1, length(companies.path) - 1) || '0') then 1 else 0 end`;

/** One page of the bin: devices that were removed from companies that the actor sees. */
export async function listRemoved(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: RemovedDevice[]; total: number }> {
  const base = db
    .selectFrom('removed_devices')
    .innerJoin('devices', 'devices.id', 'removed_devices.device_id')
    .innerJoin('companies', 'companies.id', 'removed_devices.company_id')
    .where(isVisible(actor, 'removed_devices'))
    .select(['devices.id', 'devices.name', 'devices.serial', 'devices.mac', 'devices.model'])
    .select(['removed_devices.company_id', 'removed_devices.user_name', 'removed_devices.removed_at', 'companies.name as company_name'])
    .select(hasJoined.as('has_joined'));
  const { rows, total } = await applyListQuery(base, query, columns);
  const present = rows.map(({ removed_at, has_joined, ...row }) => ({
    ...row,
    is_restorable: Number(has_joined) === 0,
    removed_at: wireTime(removed_at),
    purge_at: wireTime(removed_at + KEPT_MS),
  }));
  return { rows: present, total };
}
