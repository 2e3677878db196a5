import { VPN_HUB_PURPOSE } from '../../server/features/vpn/store.ts';
import { VOUCHERS_PURPOSE } from '../../server/features/wireless/vouchers.ts';
import { sealText } from '../../server/kernel/seal.ts';
import type { World } from './world.ts';

/** A hotspot of a device, and vouchers for it. */
export async function makeHotspots(
  world: World,
  { company, device, marker }: { company: { id: number }; device: { id: number }; marker: string },
): Promise<Record<string, number>> {
  const { db } = world.ctx;
  const now = world.clock.now();
  const hotspot = await db
    .insertInto('device_hotspots')
    .values({
      device_id: device.id,
      hotspot_index: 1,
      ssid: marker,
      active: 1,
      ip: '10.0.0.1',
      users: 0,
      auth_type: 'password',
      accounts: '[]',
      sessions: '[]',
      read_at: null,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const vouchers = await db
    .insertInto('hotspot_vouchers')
    .values({
      company_id: company.id,
      name: marker,
      ssid: marker,
      amount: 1,
      minutes: 60,
      megabytes: 0,
      ends_at: null,
      sealed_codes: sealText(world.ctx.secretKey, VOUCHERS_PURPOSE, JSON.stringify(['SAMPLE22'])),
      revoked_at: null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { 'hotspots/networks': hotspot.id, 'hotspots/vouchers': vouchers.id };
}

/** A hub with two clients, a network behind one and a rule between them. */
export async function makeVpn(world: World, companyId: number, marker: string, now: number): Promise<Record<string, number>> {
  const { db } = world.ctx;
  const times = { created_at: now, updated_at: now };
  const hub = await db
    .insertInto('vpn_hubs')
    .values({
      company_id: companyId,
      name: marker,
      description: marker,
      endpoint: 'vpn.example',
      port: 51820,
      network: 0x0a4d0000,
      prefix: 24,
      enabled: 1,
      public_key: marker,
      sealed_key: sealText(world.ctx.secretKey, VPN_HUB_PURPOSE, marker),
      ...times,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const [one, other] = await db
    .insertInto('vpn_clients')
    .values(
      [2, 3].map((host) => ({
        vpn_hub_id: hub.id,
        type: 'custom' as const,
        device_id: null,
        name: `${marker}-${host}`,
        address: 0x0a4d0000 + host,
        enabled: 1 as const,
        public_key: null,
        ...times,
      })),
    )
    .returning('id')
    .execute();
  const [from, to] = [one?.id ?? 0, other?.id ?? 0];
  const route = await db
    .insertInto('vpn_routes')
    .values({ vpn_hub_id: hub.id, vpn_client_id: to, name: marker, network: 0xc0a80800, prefix: 24, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rule = await db
    .insertInto('vpn_rules')
    .values({ vpn_hub_id: hub.id, from_client_id: from, to_client_id: to, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { 'vpn/quick-hubs': hub.id, 'vpn/hubs': hub.id, 'vpn/hubs/users': from, 'vpn/hubs/routes': route.id, 'vpn/hubs/rules': rule.id };
}
