import { sql } from 'kysely';
import type { VpnConnection } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, containsText, integers, isOneOf, textKey, type ListColumns } from '../../kernel/apply-list-query.ts';
import { DAY, HOUR, wireTime } from '../../kernel/clock.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { requireClient, requireHub } from './store.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { addressText } from './addresses.ts';
import { sumBytes } from '../../kernel/db/sum-bytes.ts';

const columns: ListColumns = {
  id: sql.ref('vpn_sessions.id'),
  sorts: { id: { by: sql.ref('vpn_sessions.id') }, connected_at: { by: sql.ref('vpn_sessions.started_at') } },
  filters: {
    vpn_hub_id: (values) => isOneOf(sql.ref('vpn_sessions.vpn_hub_id'), integers(values)),
    vpn_user_id: (values) => isOneOf(sql.ref('vpn_sessions.vpn_client_id'), integers(values)),
    success: (values) => (values.includes('1') ? sql`vpn_sessions.code = 0` : sql`vpn_sessions.code > 0`),
  },
  search: (text) => containsText([sql.ref('vpn_sessions.name'), sql.ref('vpn_sessions.remote')], text),
};

const REASONS: Record<number, VpnConnection['reason']> = { 2: 'revoked', 3: 'disabled', 4: 'expired', 5: 'handshake' };

/** One page of the connections to hubs that the actor sees, refused ones too. */
export async function listConnections(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: VpnConnection[]; total: number }> {
  const base = ctx.reads
    .selectFrom('vpn_sessions')
    .innerJoin('vpn_hubs', 'vpn_hubs.id', 'vpn_sessions.vpn_hub_id')
    .where(isVisible(actor, 'vpn_hubs'))
    .selectAll('vpn_sessions');
  const { rows, total } = await applyListQuery(base, query, columns);
  return {
    rows: rows.map((row): VpnConnection => ({
      id: row.id,
      vpn_hub_id: row.vpn_hub_id,
      vpn_user_id: row.vpn_client_id,
      name: row.name,
      visual_name: row.name,
      type: row.type,
      ip: row.remote || null,
      success: row.code === 0 ? 1 : 0,
      code: row.code,
      reason: REASONS[row.code] ?? (row.ended_at === null ? 'connected' : 'ended'),
      connected_at: wireTime(row.started_at),
      disconnected_at: wireTime(row.ended_at),
      session_bytes_send: Number(row.sent),
      session_bytes_received: Number(row.received),
    })),
    total,
  };
}

export interface TrafficEntry {
  hub_id: number;
  session_bytes_send: number;
  session_bytes_received: number;
  total_data_used: number;
  created_at: string;
}

/** Bytes of a hub, or of one of its clients, by the hour, by the day for more than four days; oldest first. Throws NOT_FOUND. */
export async function readTraffic(
  ctx: Context,
  actor: Actor,
  hubId: number,
  period: { from: number; until: number; client?: number },
): Promise<TrafficEntry[]> {
  await requireHub(ctx.reads, actor, hubId);
  if (period.client !== undefined) await requireClient(ctx.reads, actor, period.client, { hubId });
  const step = period.until - period.from > 4 * DAY ? DAY : HOUR;
  const slot = sql<number>`vpn_traffic.hour - vpn_traffic.hour % ${sql.lit(step)}`;
  let query = ctx.reads
    .selectFrom('vpn_traffic')
    .select([slot.as('slot'), sumBytes('sent').as('sent'), sumBytes('received').as('received')])
    .where('vpn_hub_id', '=', hubId)
    .where('hour', '>=', period.from - (period.from % HOUR))
    .where('hour', '<=', period.until)
    .groupBy(slot)
    .orderBy(slot);
  if (period.client !== undefined) query = query.where('vpn_client_id', '=', period.client);
  const rows = await query.execute();
  let total = 0;
  return rows.map((row) => {
    const [sent, received] = [Number(row.sent), Number(row.received)];
    total += sent + received;
    return {
      hub_id: hubId,
      session_bytes_send: sent,
      session_bytes_received: received,
      total_data_used: total,
      created_at: wireTime(Number(row.slot)),
    };
  });
}

/** The VPN hubs that devices are in, as instances of their VPN. Throws NOT_FOUND for a device that the actor does not see. */
export async function readDeviceStatus(ctx: Context, actor: Actor, deviceIds: readonly number[]) {
  const answers = [];
  for (const id of new Set(deviceIds)) {
    const device = await requireDevice(ctx.reads, actor, id);
    const rows = await ctx.reads
      .selectFrom('vpn_clients')
      .innerJoin('vpn_hubs', 'vpn_hubs.id', 'vpn_clients.vpn_hub_id')
      .select([
        'vpn_hubs.name',
        'vpn_hubs.vpn_type',
        'vpn_clients.address',
        sql<number>`case when vpn_hubs.enabled = 1 and vpn_clients.enabled = 1 then 1 else 0 end`.as('is_enabled'),
        sql<number>`(select count(*) from vpn_sessions where vpn_sessions.vpn_client_id = vpn_clients.id and vpn_sessions.ended_at is null)`.as(
          'live',
        ),
        'vpn_clients.updated_at',
      ])
      .where('vpn_clients.device_id', '=', device.id)
      .where(isVisible(actor, 'vpn_hubs'))
      .orderBy(textKey(sql.ref('vpn_hubs.name')))
      .execute();
    const at = Math.max(device.created_at, ...rows.map(({ updated_at }) => updated_at));
    answers.push({
      id: device.id,
      device_id: device.id,
      data: rows.map((row) => ({
        ip: addressText(row.address),
        name: row.name,
        type: row.vpn_type === 'wireguard' ? 'wireguard' : 'openvpn',
        is_enabled: Number(row.is_enabled) === 1,
        is_running: Number(row.live) > 0,
      })),
      updated_at: wireTime(at),
    });
  }
  return answers;
}
