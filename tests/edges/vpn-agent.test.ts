import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { VpnClient, VpnConnection, VpnHub } from '../../schemas/_generated/contract.ts';
import { ApiClient } from '../../scripts/api-client.ts';
import { freePort } from '../helpers/free-port.ts';
import { startServerProcess, type ServerProcess } from '../helpers/server-process.ts';
import { until } from '../helpers/until.ts';
import { Host, assertMayMakeNetworks } from '../helpers/vpn-hosts.ts';

const HELPER = join(import.meta.dirname, '../../server/vpn-helper/main.ts');
const PASSWORD = 'a long enough phrase';

describe('a hub agent on another machine', { timeout: 180_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'canopy-hub-agent-'));
  const env: Record<string, string> = {};
  let server: ServerProcess;
  let api: ApiClient;
  let port: number;
  let agent: ChildProcess | undefined;

  /** The one line that is run there; answers what it prints for VPN_ZONES. */
  async function startAgent(...more: string[]): Promise<object> {
    const args = [HELPER, '--join', server.url, '--dir', folder, '--port', String(port), ...more];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    agent = child;
    const line = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (text) => text.startsWith('The VPN helper is ready') && resolve(text));
      child.once('exit', (code) => reject(new Error(`the helper stopped with ${code}`)));
    });
    return (JSON.parse(line.slice(line.indexOf('{'))) as { zone: { agent: object } }).zone.agent;
  }
  async function stopAgent(): Promise<void> {
    const child = agent;
    agent = undefined;
    if (!child || child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  beforeAll(async () => {
    assertMayMakeNetworks();
    port = await freePort();
    Object.assign(env, { VPN_HOST: '127.0.0.1', TUNNEL_PORT: String(await freePort()), TUNNEL_PUBLIC_HOST: '127.0.0.1' });
    server = await startServerProcess({ env });
    api = new ApiClient(server.url);
    const token = readFileSync(join(server.dataDir, 'set-up-token'), 'utf8').trim();
    const person = { company_name: 'Harbour', email: 'ada@example.org', first_name: 'Ada', last_name: 'Holm', password: PASSWORD };
    await api.call('POST', '/set-up', { token, ...person });
  }, 120_000);
  afterAll(async () => {
    await stopAgent();
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const hubOf = (id: number) => api.call<VpnHub>('GET', `/vpn/hubs/${id}`);
  const stateOf = async () =>
    (await api.call<{ name: string; state: string }[]>('GET', '/vpn/hubs/zones')).find(({ name }) => name === 'oslo')?.state;
  const isIn = (id: number, state: VpnHub['run_state']) =>
    until(`the hub is ${state}`, async () => {
      const hub = await hubOf(id);
      if (hub.run_state === 'failed') throw new Error(hub.run_error ?? 'failed');
      return hub.run_state === state && hub;
    });

  test('joins by one line and runs the hubs of its zone; clients, bytes and connections come back, and hubs say when it is away', async () => {
    const { code } = await api.call<{ code: string }>('POST', '/devices/enrolment-codes', { company_id: 1, uses: 1, expires_in_hours: 1 });
    const printed = await startAgent('--code', code, '--name', 'Hub host');
    env['VPN_ZONES'] = JSON.stringify({ oslo: { title: 'Oslo', host: '127.0.0.1', ports: '24800-24899', agent: printed } });
    await server.kill();
    await server.start();
    // A device comes back within a minute after its server was away.
    const answers = () => until('the zone answers', async () => (await stateOf()) === 'answers');
    await answers().catch(answers);
    const { id } = await api.call<{ id: number }>('POST', '/vpn/hubs', { name: 'Quay', vpn_type: 'wireguard', hub_zone: 'oslo' });
    const hub = await isIn(id, 'running');
    expect(hub).toMatchObject({ hub_zone: 'oslo', hub_zone_name: 'Oslo', port: 24_800 });
    const addClient = async (username: string) =>
      (await api.call<{ id: number }>('POST', '/vpn/hubs/users/custom', { vpn_hub_id: id, username })).id;
    const [near, far] = [await addClient('near'), await addClient('far')];
    await api.call('POST', '/vpn/hubs/rules', { vpn_hub_id: id, from_client_id: near, to_client_id: far });
    const profileOf = async (client: number) =>
      (await api.call<{ text: string }>('POST', `/vpn/hubs/users/${client}/new-profile`, {})).text;
    await using laptop = await Host.make();
    await using router = await Host.make();
    await laptop.connect(await profileOf(near));
    await router.connect(await profileOf(far));
    const clients = await api.call<VpnClient[]>('GET', `/vpn/hubs/users?vpn_hub_id=${id}&sort=ip`);
    const address = clients.find((client) => client.id === far)?.ip ?? '';
    const back = clients.find((client) => client.id === near)?.ip ?? '';
    await until('the laptop reaches the router', () => laptop.reaches(address));
    expect(await router.reaches(back)).toBe(false);
    await until('both are connected', async () => {
      await api.call('GET', `/vpn/hubs/${id}/sessions`);
      return (await hubOf(id)).online_count === 2 && (await hubOf(id)).bytes_used > 0;
    });
    expect((await api.call<VpnConnection[]>('GET', `/vpn/hubs/${id}/logs/user-connections?limit=100`)).length).toBe(2);
    // The hub ends with its machine, and says so.
    await stopAgent();
    await isIn(id, 'away');
    expect(await stateOf()).toBe('away');
    // It has joined: the same line without a code is enough.
    await startAgent();
    await isIn(id, 'running');
    await until('the laptop reaches the router again', () => laptop.reaches(address));
  });

  test('a zone whose helper has another key runs nothing', async () => {
    const zones = JSON.parse(env['VPN_ZONES'] ?? '{}') as { oslo: { agent: { key: string } } };
    zones.oslo.agent.key = 'k'.repeat(43);
    env['VPN_ZONES'] = JSON.stringify(zones);
    await server.kill();
    await server.start();
    const [hub] = await api.call<VpnHub[]>('GET', '/vpn/hubs');
    await isIn(hub?.id ?? 0, 'away');
    expect(await stateOf()).toBe('away');
  });
});
