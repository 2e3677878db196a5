import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { VpnClient, VpnConnection, VpnHub } from '../../schemas/_generated/contract.ts';
import { ApiClient } from '../../scripts/api-client.ts';
import { startServerProcess, type ServerProcess } from '../helpers/server-process.ts';
import { until } from '../helpers/until.ts';
import { Host, assertMayMakeNetworks, startHelper, type HelperProcess } from '../helpers/vpn-hosts.ts';

const PASSWORD = 'a long enough phrase';
const KINDS = ['wireguard', 'tun', 'tap'] as const;

describe('hubs that run', { timeout: 120_000 }, () => {
  let helper: HelperProcess;
  let server: ServerProcess;
  let api: ApiClient;

  beforeAll(async () => {
    assertMayMakeNetworks();
    helper = await startHelper();
    server = await startServerProcess({ env: { VPN_HELPER: helper.socket, VPN_HOST: '127.0.0.1', VPN_PORTS: '24500-24599' } });
    api = new ApiClient(server.url);
    const token = readFileSync(join(server.dataDir, 'set-up-token'), 'utf8').trim();
    const person = { company_name: 'Harbour', email: 'ada@example.org', first_name: 'Ada', last_name: 'Holm', password: PASSWORD };
    await api.call('POST', '/set-up', { token, ...person });
  }, 120_000);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await helper?.[Symbol.asyncDispose]();
  });

  const hubOf = (id: number) => api.call<VpnHub>('GET', `/vpn/hubs/${id}`);
  const clientsOf = (hub: number) => api.call<VpnClient[]>('GET', `/vpn/hubs/users?vpn_hub_id=${hub}&sort=ip`);
  const connectionsOf = (hub: number) => api.call<VpnConnection[]>('GET', `/vpn/hubs/${hub}/logs/user-connections?limit=100`);
  async function makeHub(name: string, vpn_type: (typeof KINDS)[number]): Promise<VpnHub> {
    const { id } = await api.call<{ id: number }>('POST', '/vpn/hubs', { name, vpn_type, ip: '10.77.0.0', netmask: '255.255.255.0' });
    return until(`${name} runs`, async () => {
      const hub = await hubOf(id);
      if (hub.run_state === 'failed') throw new Error(hub.run_error ?? 'failed');
      return hub.run_state === 'running' && hub;
    });
  }
  const addClient = async (hub: number, username: string) =>
    (await api.call<{ id: number }>('POST', '/vpn/hubs/users/custom', { vpn_hub_id: hub, username })).id;
  const profileOf = async (client: number) => (await api.call<{ text: string }>('POST', `/vpn/hubs/users/${client}/new-profile`, {})).text;
  const allow = (hub: number, from: number, to: number) =>
    api.call('POST', '/vpn/hubs/rules', { vpn_hub_id: hub, from_client_id: from, to_client_id: to });
  const connected = (hub: number, count: number) =>
    until(`${count} clients are connected`, async () => {
      await api.call('GET', `/vpn/hubs/${hub}/sessions`);
      return (await clientsOf(hub)).filter((client) => client.connected === 1).length === count;
    });
  const reached = (host: Host, address: string) => until(`${host.name} reaches ${address}`, () => host.reaches(address));
  const lost = (host: Host, address: string) => until(`${host.name} does not reach ${address}`, async () => !(await host.reaches(address)));

  test.each(KINDS)('a client of a %s hub reaches what a rule lets it and nothing else [DV5]', async (kind) => {
    const hub = await makeHub(`Quay ${kind}`, kind);
    const other = await makeHub(`Beside ${kind}`, kind);
    const [near, far, third] = [await addClient(hub.id, 'near'), await addClient(hub.id, 'far'), await addClient(hub.id, 'third')];
    const stranger = await addClient(other.id, 'stranger');
    await api.call('POST', '/vpn/hubs/routes', {
      vpn_hub_id: hub.id,
      vpn_hub_user_id: far,
      ip_address: '192.168.88.0',
      netmask: '255.255.255.0',
    });
    await using laptop = await Host.make();
    await using router = await Host.make('192.168.88.20');
    await using plant = await Host.make();
    await using foreign = await Host.make();
    await Promise.all([
      laptop.connect(await profileOf(near)),
      router.connect(await profileOf(far)),
      plant.connect(await profileOf(third)),
      // By another address of the machine.
      foreign.connect((await profileOf(stranger)).replaceAll('127.0.0.1', '127.0.0.2')),
    ]);
    await connected(hub.id, 3);
    await connected(other.id, 1);
    // The hub itself, this machine, and what is behind it.
    await laptop.routeAll('10.77.0.1');
    for (const address of ['10.77.0.1', '10.77.0.3', '10.77.0.4', '192.168.88.20', '1.1.1.1', '169.254.169.254'])
      expect([address, await laptop.reaches(address)]).toEqual([address, false]);
    await allow(hub.id, near, far);
    await reached(laptop, '10.77.0.3');
    if (kind === 'wireguard') await laptop.connect(await profileOf(near));
    await reached(laptop, '192.168.88.20');
    for (const [host, address] of [
      [router, '10.77.0.2'],
      [plant, '10.77.0.3'],
      [plant, '10.77.0.2'],
      [plant, '192.168.88.20'],
      [laptop, '10.77.0.4'],
      [laptop, '10.77.0.1'],
      [foreign, '10.77.0.3'],
      [foreign, '192.168.88.20'],
    ] as const)
      expect([host.name, address, await host.reaches(address)]).toEqual([host.name, address, false]);
    // With the address of one that may.
    await plant.takeAddress('10.77.0.2');
    expect(await plant.reachesFrom('10.77.0.2', '10.77.0.3')).toBe(false);
    const [rule] = await api.call<{ id: number }[]>('GET', `/vpn/hubs/rules?vpn_hub_id=${hub.id}`);
    await api.call('DELETE', `/vpn/hubs/rules/${rule?.id}`);
    await lost(laptop, '10.77.0.3');
    await api.call('DELETE', '/vpn/hubs', { id: [hub.id, other.id] });
  });

  test.each(KINDS)('a client of a %s hub that is turned off or removed is out at once, and the log says so', async (kind) => {
    const hub = await makeHub(`Pier ${kind}`, kind);
    const [near, far] = [await addClient(hub.id, 'near'), await addClient(hub.id, 'far')];
    await allow(hub.id, near, far);
    await using laptop = await Host.make();
    await using router = await Host.make();
    const old = await profileOf(near);
    await laptop.connect(old);
    await router.connect(await profileOf(far));
    await reached(laptop, '10.77.0.3');
    await connected(hub.id, 2);
    await api.call('POST', `/vpn/hubs/users/${near}/toggle`, { enabled: false });
    await lost(laptop, '10.77.0.3');
    await connected(hub.id, 1);
    await api.call('POST', `/vpn/hubs/users/${near}/toggle`, { enabled: true });
    await laptop.connect(old);
    await until('the laptop is let in again', async () => {
      // The hub may hear of it a moment after the answer, and refuse until then.
      if (!laptop.isRunning()) await laptop.connect(old);
      return laptop.reaches('10.77.0.3');
    });
    // Another profile is another key: the one before is worth nothing.
    await profileOf(near);
    await lost(laptop, '10.77.0.3');
    await laptop.connect(old);
    if (kind !== 'wireguard')
      await until('the log has the revoked certificate', async () => {
        await api.call('GET', `/vpn/hubs/${hub.id}/sessions`);
        return (await connectionsOf(hub.id)).some(
          ({ reason, code, success, vpn_user_id }) => reason === 'revoked' && code === 2 && success === 0 && vpn_user_id === near,
        );
      });
    expect(await laptop.reaches('10.77.0.3')).toBe(false);
    await api.call('DELETE', `/vpn/hubs/users/${far}`);
    await connected(hub.id, 0);
    const ended = (await connectionsOf(hub.id)).filter(({ vpn_user_id, reason }) => vpn_user_id === near && reason === 'ended');
    expect(ended.length).toBeGreaterThan(0);
    expect(ended.some((one) => one.session_bytes_send > 0 && one.session_bytes_received > 0)).toBe(true);
    const traffic = await api.call<{ total_data_used: number }[]>('GET', `/vpn/hubs/${hub.id}/logs`);
    expect(traffic.at(-1)?.total_data_used).toBe((await hubOf(hub.id)).bytes_used);
    await api.call('DELETE', '/vpn/hubs', { id: [hub.id] });
  });

  test('a hub goes on while the server is killed, and no byte is counted twice after its start', async () => {
    const hub = await makeHub('Mole', 'tun');
    const [near, far] = [await addClient(hub.id, 'near'), await addClient(hub.id, 'far')];
    await allow(hub.id, near, far);
    await using laptop = await Host.make();
    await using router = await Host.make();
    await laptop.connect(await profileOf(near));
    await router.connect(await profileOf(far));
    await reached(laptop, '10.77.0.3');
    await connected(hub.id, 2);
    await server.kill();
    expect(await laptop.reaches('10.77.0.3')).toBe(true);
    await server.start();
    await connected(hub.id, 2);
    expect(await laptop.reaches('10.77.0.3')).toBe(true);
    expect((await connectionsOf(hub.id)).length).toBe(2);
    const sessions = await api.call<{ session_bytes_send: number; session_bytes_received: number }[]>(
      'GET',
      `/vpn/hubs/${hub.id}/sessions`,
    );
    const bytes = sessions.reduce((sum, one) => sum + one.session_bytes_send + one.session_bytes_received, 0);
    expect((await hubOf(hub.id)).bytes_used).toBe(bytes);
    await api.call('PUT', `/vpn/hubs/${hub.id}/toggle`, { enabled: false });
    await lost(laptop, '10.77.0.3');
    await until('the hub has stopped', async () => {
      const { run_state, online_count } = await hubOf(hub.id);
      return run_state === 'stopped' && online_count === 0;
    });
    await api.call('PUT', `/vpn/hubs/${hub.id}/toggle`, { enabled: true });
    await reached(laptop, '10.77.0.3');
  });

  test('hubs run again after their helper was started again, and say until then that nobody runs them', async () => {
    const hub = await makeHub('Lock', 'wireguard');
    const before = await hubOf(hub.id);
    expect(before.run_state).toBe('running');
    const { socket } = helper;
    await helper[Symbol.asyncDispose]();
    await until('nobody runs the hub', async () => {
      await api.call('GET', `/vpn/hubs/${hub.id}/sessions`);
      return (await hubOf(hub.id)).run_state === 'away';
    });
    helper = await startHelper(socket);
    await until('the hub runs again', async () => {
      await api.call('GET', `/vpn/hubs/${hub.id}/sessions`);
      return (await hubOf(hub.id)).run_state === 'running';
    });
  });
});
