import { VPN_CONNECTED } from '../../../schemas/kit/form/rule-parameters.ts';
import type { OwnReads } from '../../kernel/db/database.ts';
import type { Value } from './types.ts';

/** When devices were connected to VPN hubs since `start`, as changes between `yes` and `no`, by device; one that was never a client of a hub has none. */
export async function readVpnHistory(
  { reads, tools }: OwnReads,
  ids: readonly number[],
  start: number,
): Promise<{ deviceId: number; point: Point }[]> {
  const clients = await reads
    .selectFrom('vpn_clients')
    .select(['id', 'device_id', 'created_at'])
    .where('device_id', 'in', tools.idList(ids))
    .where('type', '=', 'device')
    .execute();
  const deviceOf = new Map(clients.map((client) => [client.id, client.device_id]));
  const sessions = await reads
    .selectFrom('vpn_sessions')
    .select(['vpn_client_id', 'started_at', 'ended_at'])
    .where('vpn_client_id', 'in', tools.idList([...deviceOf.keys()]))
    .where('code', '=', 0)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', start)]))
    .execute();
  const turnsOf = new Map<number, { at: number; step: number }[]>();
  const add = (deviceId: number | null | undefined, turn: { at: number; step: number }): void => {
    if (typeof deviceId === 'number') turnsOf.set(deviceId, [...(turnsOf.get(deviceId) ?? []), turn]);
  };
  for (const { device_id, created_at } of clients) add(device_id, { at: Math.max(start, Number(created_at)), step: 0 });
  for (const { vpn_client_id, started_at, ended_at } of sessions) {
    const deviceId = deviceOf.get(vpn_client_id ?? 0);
    add(deviceId, { at: Math.max(start, Number(started_at)), step: 1 });
    if (ended_at !== null) add(deviceId, { at: Number(ended_at), step: -1 });
  }
  return [...turnsOf].flatMap(([deviceId, turns]) => {
    // It may be connected to several hubs.
    let open = 0;
    return turns
      .toSorted((a, b) => a.at - b.at || b.step - a.step)
      .map(({ at, step }) => {
        open += step;
        return { deviceId, point: { at, name: VPN_CONNECTED, value: open > 0 ? 'yes' : 'no' } };
      });
  });
}

/** A value that a device had from a moment on. */
export interface Point {
  at: number;
  name: string;
  value: Value;
}
