import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RemoteError } from '../../server/domain/remote/types.ts';
import { openVpnHelper } from '../../server/edges/vpn/open-helper.ts';
import { readZones } from '../../server/vpn-zones.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeEntry, openSocket, registerPipe } from '../helpers/remote.ts';
import { until } from '../helpers/until.ts';
import { Host, assertMayMakeNetworks, startHelper, type HelperProcess } from '../helpers/vpn-hosts.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const KINDS = ['wireguard', 'tun'] as const;

describe('a device that is reached by its address in a VPN hub', { timeout: 60_000 }, () => {
  let helper: HelperProcess;
  let world: World;
  let admin: Caller;
  let company: Awaited<ReturnType<typeof makeCompany>>;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    assertMayMakeNetworks();
    helper = await startHelper();
    const vpnZones = readZones({ zones: '', host: '127.0.0.1', helper: helper.socket, ports: '24700-24799' });
    world = await makeWorld({ listen: true, config: { vpnZones } });
    registerPipe(world, 'telnet');
    company = await makeCompany(world);
    admin = await as(world, 'admin', { company });
  }, 60_000);
  afterAll(async () => {
    for (const child of children) {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    await world[Symbol.asyncDispose]();
    await helper[Symbol.asyncDispose]();
  });

  const row = (id: number) => world.ctx.db.selectFrom('remote_sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  async function makeHub(vpn_type: (typeof KINDS)[number]): Promise<number> {
    const { data } = await admin.post('/vpn/hubs', { name: `Quay ${vpn_type}`, vpn_type, company_id: company.id });
    await until('the hub runs', async () => {
      await admin.get(`/vpn/hubs/${data.id}/sessions`);
      return (await admin.get(`/vpn/hubs/${data.id}`)).data.run_state === 'running';
    });
    return data.id;
  }
  const connected = (hub: number) =>
    until('the device is connected', async () => (await admin.get(`/vpn/hubs/${hub}/sessions`)).data.length === 1);
  /** Answers what it gets, at every address of the host. */
  async function serve(host: Host): Promise<void> {
    const page =
      "require('node:net').createServer((s) => { s.on('error', () => {}); s.pipe(s); }).listen(7, '0.0.0.0', () => console.log('up'))";
    const child = spawn('ip', ['netns', 'exec', host.name, process.execPath, '-e', page], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    await once(child.stdout, 'data');
  }
  async function say(entry: number, text: string): Promise<number> {
    const answer = await admin.post(`/devices/connect/${entry}`, { duration: 600 });
    if (answer.status !== 200) throw new Error(answer.text);
    const browser = await openSocket(world, admin, answer.data.url);
    browser.socket.send(text);
    await browser.until(text);
    browser.socket.close();
    await browser.closed;
    return answer.data.id;
  }

  test.each(KINDS)('an offline device in a %s hub answers, its bytes are counted, and nothing else in the hub is reached', async (kind) => {
    const hub = await makeHub(kind);
    const device = await makeDevice(world, { company, status: 0 });
    const other = await makeDevice(world, { company, status: 0 });
    const { data } = await admin.post('/vpn/hubs/users/devices', { vpn_hub_id: hub, device_id: [device.id] });
    const entry = await makeEntry(admin, { device_id: device.id, port: 7 });
    const open = (target: { host: string; port: number; way?: 'auto' | 'vpn' }, from = device) =>
      world.ctx.remote.openStream(from, target).then(
        (stream) => stream.destroy() && 'open',
        (error: unknown) => (error instanceof RemoteError ? error.reason : String(error)),
      );
    expect(await open({ host: '127.0.0.1', port: 7 })).toBe('offline');
    expect(await open({ host: '127.0.0.1', port: 7, way: 'vpn' })).toBe('no-vpn');
    await using router = await Host.make('192.168.88.20');
    await router.connect((await admin.post(`/vpn/hubs/users/${data.id[0]}/new-profile`, {})).data.text);
    await serve(router);
    const { ip } = (await admin.get('/vpn/hubs/users', { vpn_hub_id: hub })).data[0];
    const hubAddress = ip.replace(/\d+$/, '1');
    await connected(hub);
    const session = await say(entry, 'ahoy');
    await until('the session has ended', async () => (await row(session)).ended_at !== null);
    expect(await row(session)).toMatchObject({ bytes_in: 4, bytes_out: 4 });
    expect((await admin.put(`/remote/entries/${entry}`, { ...ENTRY, way: 'vpn' })).status).toBe(200);
    await say(entry, 'ahoy again');
    // A closed port, what is behind the device, its address by its name, the hub, and a device that is none of its clients.
    expect(await open({ host: '127.0.0.1', port: 9, way: 'vpn' })).toBe('refused');
    for (const host of ['192.168.88.20', ip, hubAddress])
      expect([host, await open({ host, port: 7, way: 'vpn' })]).toEqual([host, 'no-vpn']);
    expect(await open({ host: '169.254.169.254', port: 80, way: 'vpn' })).toBe('refused-address');
    expect(await open({ host: '127.0.0.1', port: 7, way: 'vpn' }, other)).toBe('no-vpn');
    // What the hub opens is answered; the hub itself is as closed as before.
    expect(await router.reaches(hubAddress)).toBe(false);
    // Out of the hub is out of reach.
    await admin.post(`/vpn/hubs/users/${data.id[0]}/toggle`, { enabled: false });
    expect(await open({ host: '127.0.0.1', port: 7, way: 'vpn' })).toBe('no-vpn');
    await admin.delete(`/vpn/hubs/${hub}`);
  });

  test('two helpers on one machine leave the hubs of each other alone, whatever numbers those have', async () => {
    const hub = await makeHub('wireguard');
    const { data } = await admin.post('/vpn/hubs/users/custom', { vpn_hub_id: hub, username: 'laptop' });
    await using laptop = await Host.make();
    await laptop.connect((await admin.post(`/vpn/hubs/users/${data.id}/new-profile`, {})).data.text);
    await connected(hub);
    await using second = await startHelper();
    await using beside = openVpnHelper(second.socket);
    const privateKey = Buffer.alloc(32, 7).toString('base64');
    const spec = {
      id: hub,
      kind: 'wireguard',
      port: 24_690,
      address: '10.88.0.1',
      prefix: 24,
      privateKey,
      clients: [],
      reach: [],
      dhcp: [],
    } as const;
    expect(await beside.apply(spec)).toBeNull();
    await beside.remove(hub);
    expect((await admin.get(`/vpn/hubs/${hub}/sessions`)).data.length).toBe(1);
    expect((await admin.get(`/vpn/hubs/${hub}`)).data.run_state).toBe('running');
    await admin.delete(`/vpn/hubs/${hub}`);
  });
});

const ENTRY = { name: 'By the VPN', protocol: 'telnet', destination_ip: '127.0.0.1', destination_port: 7 };
