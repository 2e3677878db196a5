import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFleet, type Fleet } from '../../agent/fleet/fleet.ts';
import { loadConfig } from '../../server/config.ts';
import { as, type Caller } from '../helpers/as.ts';
import { enterPage } from '../helpers/device-page.ts';
import { makeCompany, makeEnrolmentCode } from '../helpers/factories.ts';
import { makeEntry, openSocket, registerPipe } from '../helpers/remote.ts';
import { freePort } from '../helpers/free-port.ts';
import { makeWorld, type World } from '../helpers/world.ts';
import { eventually, killGroup, makePathWithout } from './agent-machine.ts';
import { AGENT } from './agent-world.ts';

const ip = (...args: string[]): void => void execFileSync('ip', args, { stdio: 'pipe' });
const tag = String(process.pid % 10_000);
const [ROUTER, LAN] = [`cr${tag}`, `cl${tag}`];
const UPLINK = '10.213.77.1';
const LAN_HOST = '192.168.77.20';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
let code: string;

const row = (id: number) => world.ctx.db.selectFrom('remote_sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const findDevice = (serial: string) =>
  eventually(`device ${serial} online`, async () => {
    const device = await world.ctx.db.selectFrom('devices').selectAll().where('serial', '=', serial).executeTakeFirst();
    return device?.status === 1 ? device : undefined;
  });

async function open(entry: number, caller = admin) {
  const answer = await caller.post(`/devices/connect/${entry}`, { duration: 600 });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data as { id: number; url: string };
}

beforeAll(async () => {
  // A router with an uplink to this machine, and a host on its LAN.
  for (const name of [ROUTER, LAN]) ip('netns', 'add', name);
  ip('link', 'add', `u${tag}`, 'type', 'veth', 'peer', 'name', 'wan', 'netns', ROUTER);
  ip('addr', 'add', `${UPLINK}/30`, 'dev', `u${tag}`);
  ip('link', 'set', `u${tag}`, 'up');
  ip('-n', ROUTER, 'addr', 'add', '10.213.77.2/30', 'dev', 'wan');
  for (const link of ['wan', 'lo']) ip('-n', ROUTER, 'link', 'set', link, 'up');
  ip('-n', ROUTER, 'link', 'add', 'br-lan', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', LAN);
  ip('-n', ROUTER, 'addr', 'add', '192.168.77.1/24', 'dev', 'br-lan');
  ip('-n', ROUTER, 'link', 'set', 'br-lan', 'up');
  ip('-n', LAN, 'addr', 'add', `${LAN_HOST}/24`, 'dev', 'eth0');
  for (const link of ['eth0', 'lo']) ip('-n', LAN, 'link', 'set', link, 'up');
  const pagesPort = await freePort();
  const pages = { REMOTE_PORT: String(pagesPort), REMOTE_DOMAIN: `localhost:${pagesPort}` };
  const { remote } = loadConfig({ TUNNEL_PORT: '0', TUNNEL_HOST: '0.0.0.0', TUNNEL_PUBLIC_HOST: UPLINK, ...pages }, '/nowhere');
  world = await makeWorld({
    listen: true,
    broker: true,
    config: { remote, host: '0.0.0.0', mqttHost: '0.0.0.0', mqttPublicHost: UPLINK, reportSeconds: 5 },
  });
  registerPipe(world, 'telnet');
  registerPipe(world, 'ssh');
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  ({ code } = await makeEnrolmentCode(world, { company }));
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
  for (const name of [ROUTER, LAN]) ip('netns', 'del', name);
});

describe('a simulated device', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet({ url: world.url, code, devices: 1, moods: 'good', seed: 'remote' });
  });
  afterAll(() => fleet.stop());

  test('shows its page through a tunnel, says that it is simulated, and keeps a sign-in', async () => {
    const device = await findDevice(fleet.devices[0]?.identity.serial ?? '');
    const answer = await admin.post(`/devices/${device.id}/connect/webui`, { duration: 600 });
    expect(answer).toMatchObject({ status: 201, data: { kind: 'http' } });
    const browser = await enterPage(answer.data.url);
    const shown = await browser.send('/');
    expect(shown.text).toContain('Simulated device');
    const signedIn = await browser.send('/login', { method: 'POST', headers: { origin: browser.origin }, body: 'username=kari' });
    expect(signedIn).toMatchObject({ status: 302, headers: { location: '/' } });
    expect((await browser.send('/')).text).toContain('kari');
  });

  test('answers in its shell by telnet', async () => {
    const device = await findDevice(fleet.devices[0]?.identity.serial ?? '');
    const session = await open(await makeEntry(admin, { device_id: device.id, port: 23, protocol: 'telnet' }));
    const browser = await openSocket(world, admin, session.url);
    browser.socket.send('uname\r');
    await browser.until('Linux 5.15');
    browser.socket.close();
    await browser.closed;
  });

  test('finds services, which become entries with a click', async () => {
    const device = await findDevice(fleet.devices[0]?.identity.serial ?? '');
    const { meta } = await admin.post('/devices/actions', { action: 'remote_scan', device_id: [device.id] });
    expect(meta).toBeDefined();
    const found = await eventually('services', async () => {
      const answer = await admin.get('/remote/found', { device_id: device.id });
      return answer.data.length > 0 ? answer.data : undefined;
    });
    const camera = found.find((one: { host_name: string | null }) => one.host_name === 'camera');
    expect(camera).toMatchObject({ destination_port: 80, protocol: 'http', has_entry: 0 });
    const { data: given } = await admin.get(`/remote/found/${camera.id}`);
    const { name, protocol, destination_ip, destination_port } = given;
    expect((await admin.post(`/remote/found/${camera.id}/entry`, { name, protocol, destination_ip, destination_port })).status).toBe(201);
    expect((await admin.get('/remote/found', { device_id: device.id })).data).toContainEqual(
      expect.objectContaining({ id: camera.id, has_entry: 1 }),
    );
  });
});

describe.each([
  ['OpenSSH', ''],
  ['dropbear', 'ssh'],
])('a real agent with %s', (_client, missing) => {
  const children: ChildProcess[] = [];
  let folder = '';
  let device: Awaited<ReturnType<typeof findDevice>>;

  function runIn(space: string, command: string, args: string[], env: Record<string, string | undefined> = {}): ChildProcess {
    const child = spawn('ip', ['netns', 'exec', space, command, ...args], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, ...env },
    });
    children.push(child);
    return child;
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'canopy-tunnel-'));
    const serial = `11${tag}${missing === '' ? '1' : '2'}`;
    // Without the program the agent takes the next one.
    const path = missing === '' ? {} : { PATH: await makePathWithout(join(folder, 'bin'), [missing, 'ssh-keygen']) };
    const env = {
      CANOPY_DIR: join(folder, 'agent'),
      CANOPY_SERIAL: serial,
      CANOPY_MAC: missing === '' ? '00:1E:42:00:77:01' : '00:1E:42:00:77:02',
      ...path,
    };
    const url = `http://${UPLINK}:${new URL(world.url).port}`;
    // Not by a call that blocks: the server is in this process.
    const joining = runIn(ROUTER, 'sh', [AGENT, 'join', '--url', url, '--code', code], env);
    await once(joining, 'exit');
    runIn(ROUTER, 'sh', [AGENT, 'run'], env);
    const page = `require('node:http').createServer((q, a) => a.end('camera ' + q.headers.host)).listen(80, '${LAN_HOST}');
      require('node:net').createServer((s) => { s.on('error', () => {}); s.pipe(s); }).listen(7, '${LAN_HOST}')`;
    runIn(LAN, process.execPath, ['-e', page]);
    device = await findDevice(serial);
  }, 60_000);

  afterAll(async () => {
    for (const child of children) {
      killGroup(child);
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  });

  test('opens the page of a host on its LAN', async () => {
    const session = await open(await makeEntry(admin, { device_id: device.id, port: 80, protocol: 'http', host: LAN_HOST }));
    const browser = await enterPage(session.url);
    expect(await browser.send('/')).toMatchObject({ status: 200, text: `camera ${LAN_HOST}` });
    await world.ctx.remote.end([session.id], 'killed');
  });

  test('carries a megabyte both ways unchanged, and counts it', async () => {
    const session = await open(await makeEntry(admin, { device_id: device.id, port: 7, host: LAN_HOST }));
    const browser = await openSocket(world, admin, session.url);
    const chunk = 'x'.repeat(64 * 1024);
    for (let count = 0; count < 16; count += 1) browser.socket.send(chunk);
    browser.socket.send('the end');
    expect((await browser.until('the end')).length).toBe(16 * chunk.length + 7);
    browser.socket.close();
    await browser.closed;
    expect(
      await eventually('the end', async () => ((await row(session.id)).ended_at === null ? undefined : row(session.id))),
    ).toMatchObject({
      bytes_in: 1_048_583,
      bytes_out: 1_048_583,
    });
  });

  test('refuses addresses that are not for remote access, for every caller [IN8]', async () => {
    for (const host of ['169.254.169.254', '127.0.0.2', '0.0.0.0', UPLINK]) {
      const answer = await admin.post('/devices/remote-access', {
        data: [{ device_id: device.id, name: 'closed', destination_ip: host, destination_port: 80, protocol: 'http' }],
      });
      expect([host, answer.status, answer.codes]).toEqual([host, 400, ['REMOTE_ADDRESS_REFUSED']]);
    }
  });

  test('comes back after its tunnel was cut, with the next connection', async () => {
    const entry = await makeEntry(admin, { device_id: device.id, port: 7, host: LAN_HOST });
    const first = await openSocket(world, admin, (await open(entry)).url);
    first.socket.send('one');
    await first.until('one');
    execFileSync('sh', [
      '-c',
      `for pid in $(ip netns pids ${ROUTER}); do tr '\\0' ' ' </proc/$pid/cmdline | grep -q -- '-R t' && kill -9 $pid; done; true`,
    ]);
    expect(await first.closed).toMatchObject({ reason: 'ended' });
    const second = await openSocket(world, admin, (await open(entry)).url);
    second.socket.send('two');
    await second.until('two');
    second.socket.close();
    await second.closed;
  });
});
