import { sql } from 'kysely';
import type { Trx } from '../../db/schema.ts';
import type { DetailsReport } from '../../domain/devices/details-report.ts';
import type { PendingChanges } from './pending-changes.ts';

type Network = NonNullable<DetailsReport['wireless']>[number];

/** A metric's name for one network: letters that metrics may have, from the name of its interface. */
export const wirelessMetric = (what: 'clients' | 'received' | 'sent', name: string): string =>
  `wifi_${what}_${name.toLowerCase().replace(/[^a-z0-9]/g, '_')}`;

/** Bytes since the report before; a counter that is lower began again at zero. Nothing before the first report. */
function grown(before: number | null | undefined, after: number | null): number | undefined {
  if (typeof before !== 'number' || after === null) return undefined;
  return after < before ? after : after - before;
}

/** The sum of what parts of a device said; none when no part said anything. */
function totalOf(metric: string, counts: readonly (number | null)[], at: number): PendingChanges['samples'] {
  const said = counts.filter((count) => count !== null);
  return said.length === 0 ? [] : [{ metric, at, value: said.reduce((sum, count) => sum + count, 0) }];
}

/** Readings of the Wi-Fi networks in a report: clients, of each and of all, bytes since the report before; and the users of all hotspots. */
export function wirelessSamples(
  { wireless, hotspots }: DetailsReport,
  former: DetailsReport | undefined,
  at: number,
): PendingChanges['samples'] {
  const before = new Map(former?.wireless?.map((one) => [one.interface, one]));
  const ofNetworks = (wireless ?? []).flatMap((one: Network) => {
    const last = before.get(one.interface);
    const values = {
      clients: one.clients ?? undefined,
      received: grown(last?.received, one.received),
      sent: grown(last?.sent, one.sent),
    };
    return (['clients', 'received', 'sent'] as const).flatMap((what) => {
      const value = values[what];
      return value === undefined ? [] : [{ metric: wirelessMetric(what, one.interface), at, value }];
    });
  });
  return [
    ...ofNetworks,
    ...totalOf(
      'wireless_clients',
      (wireless ?? []).map(({ clients }) => clients),
      at,
    ),
    ...totalOf(
      'hotspot_users',
      (hotspots ?? []).map(({ users }) => users),
      at,
    ),
  ];
}

/** Keeps the networks and hotspots of a device as it reported them; those that it no longer names go. Members that it left out are as before. */
export async function storeWireless(trx: Trx, deviceId: number, { wireless, hotspots }: DetailsReport, at: number): Promise<void> {
  if (wireless) {
    await trx
      .deleteFrom('device_wireless')
      .where('device_id', '=', deviceId)
      .where('interface', 'not in', ['', ...wireless.map((one) => one.interface)])
      .execute();
    for (const { interface: name, ssid, is_active, band, channel, clients, received, sent } of wireless) {
      const values = {
        ssid: ssid ?? '',
        active: is_active === false ? (0 as const) : (1 as const),
        band: band ?? '',
        channel,
        clients: clients ?? 0,
        received: received ?? 0,
        sent: sent ?? 0,
        updated_at: at,
      };
      await trx
        .insertInto('device_wireless')
        .values({ device_id: deviceId, interface: name, ...values })
        .onConflict((conflict) => conflict.columns(['device_id', 'interface']).doUpdateSet(values))
        .execute();
    }
  }
  if (!hotspots) return;
  await trx
    .deleteFrom('device_hotspots')
    .where('device_id', '=', deviceId)
    .where('hotspot_index', 'not in', [-1, ...hotspots.map(({ index }) => index)])
    .execute();
  for (const { index, ssid, is_active, ip, users, auth_type } of hotspots) {
    const values = {
      ssid: ssid ?? '',
      active: is_active === false ? (0 as const) : (1 as const),
      ip: ip ?? '',
      users: users ?? 0,
      auth_type: auth_type ?? '',
      updated_at: at,
    };
    await trx
      .insertInto('device_hotspots')
      .values({
        device_id: deviceId,
        hotspot_index: index,
        ...values,
        accounts: sql<string>`'[]'`,
        sessions: sql<string>`'[]'`,
        read_at: null,
      })
      .onConflict((conflict) => conflict.columns(['device_id', 'hotspot_index']).doUpdateSet(values))
      .execute();
  }
}
