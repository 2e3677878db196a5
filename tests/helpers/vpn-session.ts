import type { Row } from '../../server/db/schema.ts';
import type { World } from './world.ts';

/** The device is a client of a hub, and connected to it. */
export async function makeHubSession(world: World, device: Row<'devices'>): Promise<{ client: number; session: number }> {
  const { db } = world.ctx;
  const now = world.clock.now();
  const times = { created_at: now, updated_at: now };
  const { id: hub } = await db
    .insertInto('vpn_hubs')
    .values({
      ...{
        company_id: device.company_id,
        name: 'north',
        description: '',
        endpoint: 'vpn.example',
        port: 51820,
        network: 0x0a4d0000,
        prefix: 24,
      },
      ...{ enabled: 1, public_key: 'key', sealed_key: '', ...times },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const common = { vpn_hub_id: hub, type: 'device' as const, name: 'router', address: 0x0a4d0002 };
  const { id: client } = await db
    .insertInto('vpn_clients')
    .values({ ...common, ...times, device_id: device.id, enabled: 1, public_key: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: session } = await db
    .insertInto('vpn_sessions')
    .values({
      ...{ ...common, vpn_client_id: client, session_key: 'boot.1.1', remote: '', code: 0, sent: 0, received: 0 },
      ...{ started_at: now, ended_at: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { client, session };
}
