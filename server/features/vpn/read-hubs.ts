import { sql, type SqlBool } from 'kysely';
import type { VpnHub } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { isRunZone } from '../../vpn-zones.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, textKey, type ListColumns } from '../../kernel/apply-list-query.ts';
import { SECOND, wireTime } from '../../kernel/clock.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';
import { addressText, maskText } from './addresses.ts';
import type { HubRow } from './store.ts';
import { hubAddress } from './wireguard.ts';

const whole = (values: readonly string[]): number[] => [-1, ...integers(values).filter((value) => typeof value === 'number')];
const isLive = sql<SqlBool>`exists (select 1 from vpn_sessions where vpn_sessions.vpn_hub_id = vpn_hubs.id and vpn_sessions.ended_at is null)`;

const columns: ListColumns = {
  id: sql.ref('vpn_hubs.id'),
  sorts: {
    id: { by: sql.ref('vpn_hubs.id') },
    name: byText('vpn_hubs.name'),
    company_name: byText('companies.name'),
    bytes_used: { by: sql.ref('vpn_hubs.bytes_used') },
    created_at: { by: sql.ref('vpn_hubs.created_at') },
  },
  filters: {
    company_id: (values) => isWithin(sql.ref('vpn_hubs.company_id'), integers(values)),
    enabled: (values) => sql`vpn_hubs.enabled in (${sql.join(whole(values))})`,
    quick_hub: (values) => sql`vpn_hubs.quick_hub in (${sql.join(whole(values))})`,
    vpn_type: (values) => sql`vpn_hubs.vpn_type in (${sql.join(['', ...values])})`,
    tag_id: (values) =>
      sql`vpn_hubs.id in (select vpn_hub_tags.vpn_hub_id from vpn_hub_tags where vpn_hub_tags.tag_id in (${sql.join(whole(values))}))`,
    online: (values) => (values.includes('1') ? isLive : sql<SqlBool>`not ${isLive}`),
  },
  search: (text) => containsText([sql.ref('vpn_hubs.name'), sql.ref('vpn_hubs.description'), sql.ref('vpn_hubs.endpoint')], text),
};

const countOf = (name: 'clients' | 'sessions', more = '') =>
  sql<number>`(select count(*) from ${sql.ref(`vpn_${name}`)} as part where part.vpn_hub_id = vpn_hubs.id ${sql.raw(more)})`;

/** Whether a hub's machine can be asked to run it, and what it said last. */
function runStateOf(ctx: Pick<Context, 'config'>, hub: HubRow): VpnHub['run_state'] {
  const zone = ctx.config.vpnZones.find(({ name }) => name === hub.zone);
  if (!isRunZone(zone)) return 'configuration';
  return hub.run_state ?? (hub.enabled === 1 ? 'starting' : 'stopped');
}

type Found = HubRow & {
  company_name: string;
  clients_count: number;
  online_count: number;
  device_id: number | null;
  device_name: string | null;
};

const flag = (isSet: boolean): 0 | 1 => (isSet ? 1 : 0);
const inSeconds = (at: number | null): number | null => (at === null ? null : Math.floor(at / SECOND));

function present(ctx: Pick<Context, 'config'>, row: Found, tags: VpnHub['tags']): VpnHub {
  const { disabled_reason: reason } = row;
  return {
    id: row.id,
    company_id: row.company_id,
    company_name: row.company_name,
    name: row.name,
    description: row.description || null,
    endpoint: row.endpoint,
    port: row.port,
    enabled: row.enabled,
    public_key: row.public_key,
    ip: addressText(row.network),
    netmask: maskText(row.prefix),
    hub_ip: addressText(hubAddress(row)),
    hub_zone: row.zone,
    hub_zone_name: ctx.config.vpnZones.find(({ name }) => name === row.zone)?.title ?? row.zone,
    vpn_type: row.vpn_type,
    quick_hub: row.quick_hub,
    run_state: runStateOf(ctx, row),
    run_error: row.run_error,
    disabled_reason: reason,
    disabled_on_company_data_used: flag(reason === 'data_used'),
    disabled_for_inactive: flag(reason === 'inactive'),
    disabled_for_inactive_without_users: flag(reason === 'inactive_without_users'),
    disabled_because_expired: flag(reason === 'expired'),
    clients_count: Number(row.clients_count),
    online_count: Number(row.online_count),
    bytes_used: Number(row.bytes_used),
    start_time: inSeconds(row.starts_at),
    end_time: inSeconds(row.ends_at),
    ends_at: wireTime(row.ends_at),
    ca_crt_expire_at: wireTime(row.ca_expires_at),
    server_crt_expire_at: wireTime(row.server_expires_at),
    last_used_at: wireTime(row.last_used_at),
    device_id: row.device_id,
    device_name: row.device_name,
    tags,
    tag_id: tags.map(({ id }) => id),
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

async function findHubs(ctx: Context, db: Db, actor: Actor, ids: readonly number[]): Promise<VpnHub[]> {
  const rows = await db
    .selectFrom('vpn_hubs')
    .innerJoin('companies', 'companies.id', 'vpn_hubs.company_id')
    .leftJoin('vpn_clients', (join) =>
      join.onRef('vpn_clients.vpn_hub_id', '=', 'vpn_hubs.id').on('vpn_hubs.quick_hub', '=', 1).on('vpn_clients.type', '=', 'device'),
    )
    .selectAll('vpn_hubs')
    .select([
      'companies.name as company_name',
      'vpn_clients.device_id',
      'vpn_clients.name as device_name',
      countOf('clients').as('clients_count'),
      countOf('sessions', 'and part.ended_at is null').as('online_count'),
    ])
    .where('vpn_hubs.id', 'in', ids)
    .where(isVisible(actor, 'vpn_hubs'))
    .execute();
  const tags = await db
    .selectFrom('vpn_hub_tags')
    .innerJoin('tags', 'tags.id', 'vpn_hub_tags.tag_id')
    .select(['vpn_hub_tags.vpn_hub_id', 'tags.id', 'tags.name', 'tags.color'])
    .where('vpn_hub_tags.vpn_hub_id', 'in', ids)
    .where(isVisible(actor, 'tags'))
    .orderBy(textKey(sql.ref('tags.name')))
    .execute();
  return rows.map((row) =>
    present(
      ctx,
      row,
      tags.filter(({ vpn_hub_id }) => vpn_hub_id === row.id).map(({ id, name, color }) => ({ id, name, color })),
    ),
  );
}

/** One page of the hubs of companies that the actor sees. */
export async function listHubs(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: VpnHub[]; total: number }> {
  const base = ctx.reads
    .selectFrom('vpn_hubs')
    .innerJoin('companies', 'companies.id', 'vpn_hubs.company_id')
    .where(isVisible(actor, 'vpn_hubs'))
    .select('vpn_hubs.id');
  const { rows, total } = await applyListQuery(base, query, columns);
  const ids = rows.map(({ id }) => id);
  return { rows: inOrderOf(ids, await findHubs(ctx, ctx.reads, actor, ids)), total };
}

/** One hub. Throws NOT_FOUND. */
export async function getHub(ctx: Context, actor: Actor, id: number): Promise<VpnHub> {
  const [hub] = await findHubs(ctx, ctx.reads, actor, [id]);
  if (!hub) throw new NotFound({});
  return hub;
}
