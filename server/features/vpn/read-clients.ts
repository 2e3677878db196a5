import { sql, type SqlBool } from 'kysely';
import type { VpnClient } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { DAY, wireTime } from '../../kernel/clock.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';
import { addressText } from './addresses.ts';
import { isOfHub } from './store.ts';
import { compareTexts } from '../../../schemas/kit/text/text-order.ts';
import { sumBytes } from '../../kernel/db/sum-bytes.ts';

const isLive = sql<SqlBool>`exists (select 1 from vpn_sessions where vpn_sessions.vpn_client_id = vpn_clients.id and vpn_sessions.ended_at is null)`;
const SOON_MS = 30 * DAY;

const columns: ListColumns = {
  id: sql.ref('vpn_clients.id'),
  sorts: {
    id: { by: sql.ref('vpn_clients.id') },
    name: byText('vpn_clients.name'),
    ip: { by: sql.ref('vpn_clients.address') },
  },
  filters: {
    vpn_hub_id: (values) => isOneOf(sql.ref('vpn_clients.vpn_hub_id'), integers(values)),
    company_id: (values) => isWithin(sql.ref('vpn_hubs.company_id'), integers(values)),
    type: (values) => sql`vpn_clients.type in (${sql.join(['', ...values])})`,
    connected: (values) => (values.includes('1') ? isLive : sql<SqlBool>`not ${isLive}`),
  },
  search: (text) => containsText([sql.ref('vpn_clients.name')], text),
};

const visibleClients = (db: Db, actor: Actor) =>
  db.selectFrom('vpn_clients').innerJoin('vpn_hubs', 'vpn_hubs.id', 'vpn_clients.vpn_hub_id').where(isVisible(actor, 'vpn_hubs'));

function stateOf(row: { enabled: 0 | 1; isOurs: boolean; hasProfile: boolean; isPast: boolean }): VpnClient['state'] {
  if (!row.isOurs) return 'moved_away';
  if (row.enabled === 0) return 'disabled';
  if (row.isPast) return 'expired';
  return row.hasProfile ? 'ready' : 'no_profile';
}

function expiryOf(expiresAt: number | null, now: number): VpnClient['expiry'] {
  if (expiresAt === null) return 'none';
  if (expiresAt <= now) return 'past';
  return expiresAt - now < SOON_MS ? 'soon' : 'fine';
}

/** One page of the clients of hubs that the actor sees. */
export async function listClients(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: VpnClient[]; total: number }> {
  const db = ctx.reads;
  const { rows, total } = await applyListQuery(visibleClients(db, actor).select('vpn_clients.id'), query, columns);
  const ids = rows.map(({ id }) => id);
  return { rows: inOrderOf(ids, await presentClients(ctx, actor, ids)), total };
}

const shownDevice = (actor: Actor, column: 'status' | 'model') =>
  sql<
    string | number | null
  >`(select ${sql.ref(`devices.${column}`)} from devices where devices.id = vpn_clients.device_id and ${isVisible(actor, 'devices')})`;

async function presentClients(ctx: Context, actor: Actor, ids: readonly number[]): Promise<VpnClient[]> {
  const db = ctx.reads;
  const now = ctx.clock.now();
  const found = await visibleClients(db, actor)
    .innerJoin('companies', 'companies.id', 'vpn_hubs.company_id')
    .leftJoin('vpn_sessions', (join) =>
      join.onRef('vpn_sessions.vpn_client_id', '=', 'vpn_clients.id').on('vpn_sessions.ended_at', 'is', null),
    )
    .selectAll('vpn_clients')
    .select([
      'vpn_hubs.name as vpn_hub_name',
      'vpn_hubs.company_id',
      'vpn_hubs.quick_hub',
      'companies.name as company_name',
      isOfHub.as('is_of_hub'),
      'vpn_sessions.remote',
      'vpn_sessions.started_at',
      'vpn_sessions.sent',
      'vpn_sessions.received',
      shownDevice(actor, 'status').as('status'),
      shownDevice(actor, 'model').as('model'),
      sql<number>`(select ${sumBytes(sql`vpn_traffic.sent + vpn_traffic.received`)} from vpn_traffic where vpn_traffic.vpn_client_id = vpn_clients.id and vpn_traffic.vpn_hub_id = vpn_clients.vpn_hub_id)`.as(
        'total_used',
      ),
    ])
    .where('vpn_clients.id', 'in', ids)
    .orderBy('vpn_sessions.started_at')
    .execute();
  const groups = await db
    .selectFrom('vpn_client_tags')
    .innerJoin('tags', 'tags.id', 'vpn_client_tags.tag_id')
    .select(['vpn_client_tags.vpn_client_id', 'tags.id', 'tags.name', 'tags.color'])
    .where('vpn_client_tags.vpn_client_id', 'in', ids)
    .where(isVisible(actor, 'tags'))
    .union(
      db
        .selectFrom('vpn_clients')
        .innerJoin('device_tags', 'device_tags.device_id', 'vpn_clients.device_id')
        .innerJoin('tags', 'tags.id', 'device_tags.tag_id')
        .select(['vpn_clients.id as vpn_client_id', 'tags.id', 'tags.name', 'tags.color'])
        .where('vpn_clients.id', 'in', ids)
        .where(isVisible(actor, 'tags')),
    )
    .execute();
  // A client that connected twice for a moment is shown once, by its last session.
  return [...new Map(found.map((row) => [row.id, row])).values()].map((row): VpnClient => {
    const expiry = expiryOf(row.expires_at, now);
    return {
      id: row.id,
      vpn_hub_id: row.vpn_hub_id,
      vpn_hub_name: row.vpn_hub_name,
      quick_hub: row.quick_hub,
      company_id: row.company_id,
      company_name: row.company_name,
      name: row.name,
      type: row.type,
      object_id: row.device_id ?? row.user_id,
      ip: addressText(row.address),
      mode: row.mode,
      enabled: row.enabled,
      state: stateOf({
        enabled: row.enabled,
        isOurs: Number(row.is_of_hub) === 1,
        hasProfile: row.public_key !== null || row.serial !== null,
        isPast: expiry === 'past',
      }),
      status: row.status === null ? null : Number(row.status),
      model: row.model === null ? null : String(row.model),
      is_facelift: 0,
      is_esim_bootstrap: false,
      connected: row.remote === null ? 0 : 1,
      remote: row.remote,
      connected_at: wireTime(row.started_at),
      session_sent: Number(row.sent ?? 0),
      session_received: Number(row.received ?? 0),
      total_used: Number(row.total_used),
      expires_at: wireTime(row.expires_at),
      expiry,
      forward_lan: row.forward_lan,
      forward_wan: row.forward_wan,
      sync_state: row.sync_state,
      synced_at: wireTime(row.synced_at),
      groups: groups
        .filter(({ vpn_client_id }) => vpn_client_id === row.id)
        .map(({ id, name, color }) => ({ id, name, color }))
        .toSorted((a, b) => compareTexts(a.name, b.name)),
      created_at: wireTime(row.created_at),
    };
  });
}
