import { VPN_CONNECTED } from '../../../schemas/kit/form/rule-parameters.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import { readDataUsed } from './data-used.ts';
import type { Value } from './types.ts';

/** Whether each device is connected to a VPN hub, `yes` or `no`; devices that are a client of none are left out. */
async function readVpn({ database }: Pick<Context, 'database'>, db: Db, deviceIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('vpn_clients')
    .leftJoin('vpn_sessions', (join) =>
      join.onRef('vpn_sessions.vpn_client_id', '=', 'vpn_clients.id').on('vpn_sessions.ended_at', 'is', null),
    )
    .select(['vpn_clients.device_id', 'vpn_sessions.id as session_id'])
    .where('vpn_clients.device_id', 'in', database.tools.idList(deviceIds))
    .where('vpn_clients.type', '=', 'device')
    .where('vpn_clients.enabled', '=', 1)
    .execute();
  const connected = new Map<number, string>();
  for (const { device_id: id, session_id: session } of rows)
    if (id !== null && connected.get(id) !== 'yes') connected.set(id, session === null ? 'no' : 'yes');
  return connected;
}

/** What the server itself knows of devices, for rules that ask: by device, then by parameter. What is not known is left out. */
export async function readServerValues(
  ctx: Pick<Context, 'clock' | 'database'>,
  db: Db,
  deviceIds: readonly number[],
  names: readonly string[],
): Promise<Map<number, Record<string, Value>>> {
  const values = new Map<number, Record<string, Value>>(await readDataUsed(ctx, db, deviceIds, names));
  if (!names.includes(VPN_CONNECTED) || deviceIds.length === 0) return values;
  for (const [id, value] of await readVpn(ctx, db, deviceIds)) values.set(id, { ...values.get(id), [VPN_CONNECTED]: value });
  return values;
}
