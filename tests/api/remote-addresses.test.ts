import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../server/config.ts';
import { directCarrier } from '../../server/domain/remote/direct-carrier.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { REFUSED_ADDRESSES } from '../helpers/refused-addresses.ts';
import { makeEntry } from '../helpers/remote.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const OWN = Object.values(networkInterfaces()).flatMap((list) =>
  (list ?? []).filter(({ internal }) => !internal).map(({ address }) => address),
);
/** With this machine's own addresses, and a network that the installation refuses. */
const REFUSED = [...REFUSED_ADDRESSES, ...OWN, '10.99.0.7'];

let world: World;
let admin: Caller;
let company: Awaited<ReturnType<typeof makeCompany>>;
let device: Awaited<ReturnType<typeof makeDevice>>;
const { remote } = loadConfig({ REMOTE_REFUSED: '10.99.0.0/16', TUNNEL_PORT: '0', REMOTE_PORT: '0' }, '/nowhere');

beforeAll(async () => {
  world = await makeWorld({ config: { remote } });
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  device = await makeDevice(world, { company, status: 1 });
});
afterAll(() => world[Symbol.asyncDispose]());

test('no entry of remote access takes an address that is closed, in any spelling, by any call [IN8]', async () => {
  const entry = await makeEntry(admin, { device_id: device.id, port: 80, protocol: 'http', host: '192.168.1.20' });
  const rest = { name: 'Camera', protocol: 'http', destination_port: 80 };
  const found = await world.ctx.db
    .insertInto('found_services')
    .values({ device_id: device.id, host: '192.168.1.30', port: 80, mac: '', host_name: '', found_at: world.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const taken: [string, string, number][] = [];
  for (const destination_ip of REFUSED) {
    const calls = {
      'public call that adds': admin.post('/devices/remote-access', { data: [{ ...rest, device_id: device.id, destination_ip }] }),
      'public call that changes': admin.put(`/devices/remote-access/${entry}`, { destination_ip }),
      'form that adds': admin.post('/remote/entries', { ...rest, device_id: device.id, destination_ip }),
      'form that changes': admin.put(`/remote/entries/${entry}`, { ...rest, destination_ip }),
      'found service': admin.post(`/remote/found/${found.id}/entry`, { ...rest, destination_ip }),
    };
    for (const [call, asked] of Object.entries(calls)) {
      const { status } = await asked;
      if (status !== 400) taken.push([destination_ip, call, status]);
    }
  }
  expect(taken).toEqual([]);
  const kept = await world.ctx.db.selectFrom('remote_entries').select('host').where('device_id', '=', device.id).execute();
  expect(kept).toEqual([{ host: '192.168.1.20' }]);
});

test('networks of hubs are taken as plain IPv4 only [IN8]', async () => {
  const body = { company_id: company.id, name: 'Hub', endpoint: 'vpn.example', port: 51_820, netmask: '255.255.255.0' };
  const { data: hub } = await admin.post('/vpn/hubs', { ...body, ip: '10.77.0.0' });
  const { data: client } = await admin.post('/vpn/hubs/users/custom', { vpn_hub_id: hub.id, username: 'one' });
  const asHost = { vpn_hub_id: hub.id, vpn_hub_user_id: client.id, netmask: '255.255.255.255' };
  for (const ip of REFUSED_ADDRESSES) {
    const route = await admin.post('/vpn/hubs/routes', { ...asHost, ip_address: ip });
    expect([ip, route.status]).toEqual([ip, 400]);
    expect([ip, (await admin.post('/vpn/hubs', { ...body, name: 'Other', ip })).status]).toEqual([ip, 400]);
  }
});

test('a device that reports a closed address is not connected to directly [IN8]', async () => {
  const direct = directCarrier({ ...remote, direct: 'on' });
  for (const address of REFUSED) {
    const reporting = { ...device, wan_ip: address, lan_ip: address };
    const stream = direct.open(reporting, { host: '127.0.0.1', port: 9 }, new AbortController().signal);
    expect([address, await stream.catch((error: unknown) => String(error))]).toEqual([address, undefined]);
  }
});
