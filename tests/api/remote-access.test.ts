import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeEntry, openSocket, registerPipe, startService, type Service } from '../helpers/remote.ts';
import { makeWorld, type World } from '../helpers/world.ts';
import { loadConfig } from '../../server/config.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
let echo: Service;

beforeAll(async () => {
  const { remote } = loadConfig({ REMOTE_DIRECT: 'loopback', TUNNEL_PORT: '0', REMOTE_PORT: '0' }, '/nowhere');
  world = await makeWorld({ listen: true, config: { remote } });
  registerPipe(world, 'telnet');
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  echo = await startService();
});
afterAll(async () => {
  await echo[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

async function openSession(caller = admin, protocol: 'telnet' = 'telnet') {
  const device = await makeDevice(world, { company, status: 1 });
  const entry = await makeEntry(caller, { device_id: device.id, port: echo.port, protocol });
  const { data } = await caller.post(`/devices/connect/${entry}`, { duration: 600 });
  return { device, entry, session: data };
}
const row = (id: number) => world.ctx.db.selectFrom('remote_sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('an entry for RDP is kept and cannot be opened where the server lacks the programs; a dialog says so at the protocol', async () => {
  const device = await makeDevice(world, { company, status: 1 });
  const entry = await makeEntry(admin, { device_id: device.id, port: 3389, protocol: 'rdp' });
  const canConnect = async () => (await admin.get(`/devices/remote-access/${entry}`)).data.can_connect;
  expect(await canConnect()).toBe(1);
  vi.stubEnv('PATH', '/nowhere');
  try {
    expect(await canConnect()).toBe(0);
    const refused = [{ code: 'RDP_PROGRAMS_MISSING', message: 'RDP needs xfreerdp and Xtigervnc on the server.' }];
    expect((await admin.post(`/devices/connect/${entry}`, { duration: 600 })).errors).toMatchObject(refused);
    const dialog = { device_id: device.id, name: 'Till', protocol: 'rdp', destination_ip: '127.0.0.1', destination_port: 3389 };
    expect((await admin.post('/remote/entries', dialog)).errors).toMatchObject([{ ...refused[0], source: 'protocol' }]);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('stored credentials do not follow an entry to another place, where somebody could read them', async () => {
  const device = await makeDevice(world, { company, status: 1 });
  const dialog = { name: 'Camera', protocol: 'ssh', destination_ip: '192.168.1.9', destination_port: 22 };
  const secret = { username: 'kari', password: 'Secret-1' };
  const { id } = (await admin.post('/remote/entries', { ...dialog, ...secret, device_id: device.id })).data;
  const isStored = async () => (await admin.get(`/devices/remote-access/${id}`)).data.has_credentials;
  await admin.put(`/remote/entries/${id}`, { ...dialog, name: 'Camera 2' });
  await admin.put(`/devices/remote-access/${id}`, { protocol: 'sftp' });
  expect(await isStored(), 'the same server').toBe(1);
  for (const change of [{ destination_ip: '192.168.1.66' }, { destination_port: 2222 }, { protocol: 'telnet' }]) {
    await admin.put(`/remote/entries/${id}`, { ...dialog, ...secret });
    expect(await isStored()).toBe(1);
    await admin.put(`/devices/remote-access/${id}`, change);
    expect([change, await isStored()]).toEqual([change, 0]);
  }
  await admin.put(`/remote/entries/${id}`, { ...dialog, destination_ip: '192.168.1.77', ...secret });
  expect(await isStored(), 'given again').toBe(1);
});

test('a blocked entry offers no connection until it is unblocked', async () => {
  const device = await makeDevice(world, { company, status: 1 });
  const entry = await makeEntry(admin, { device_id: device.id, port: 22, protocol: 'ssh' });
  const canConnect = async () => (await admin.get(`/devices/remote-access/${entry}`)).data.can_connect;
  await admin.post(`/remote/entries/${entry}/block`, {});
  expect(await canConnect()).toBe(0);
  expect((await admin.post(`/devices/connect/${entry}`, { duration: 600 })).codes).toEqual(['REMOTE_BLOCKED']);
  await admin.post(`/remote/entries/${entry}/unblock`, {});
  expect(await canConnect()).toBe(1);
});

test('the domain and keyboard of an entry for RDP are kept, and emptied by its dialog', async () => {
  const device = await makeDevice(world, { company, status: 1 });
  const dialog = { name: 'Till', protocol: 'rdp', destination_ip: '192.168.1.9', destination_port: 3389 };
  const more = { login_domain: 'HARBOUR', keyboard: 'no' };
  const { id } = (await admin.post('/remote/entries', { ...dialog, ...more, device_id: device.id })).data;
  expect((await admin.get(`/remote/entries/${id}`)).data).toMatchObject(more);
  await admin.put(`/devices/remote-access/${id}`, { name: 'Till 2' });
  expect((await admin.get(`/remote/entries/${id}`)).data).toMatchObject({ name: 'Till 2', ...more });
  await admin.put(`/remote/entries/${id}`, { ...dialog, keyboard: 'us' });
  expect((await admin.get(`/remote/entries/${id}`)).data).toMatchObject({ login_domain: '', keyboard: 'us' });
});

test('a session carries bytes both ways, and the history says how many', async () => {
  const { session } = await openSession();
  const browser = await openSocket(world, admin, session.url);
  browser.socket.send('hello, device');
  await browser.until('hello, device');
  expect(world.ctx.remote.liveCount()).toBe(1);
  browser.socket.close();
  await browser.closed;
  await expect.poll(async () => (await row(session.id)).end_reason).toBe('left');
  const [logged] = (await admin.get('/devices/connect/logs', { q: 'entry' })).data;
  expect(logged).toMatchObject({ id: session.id, input_data: 13, output_data: 13, end_reason: 'left', username: admin.user.username });
  await expect.poll(() => echo.open()).toBe(0);
});

describe('a ticket', () => {
  test('opens one session and no second one', async () => {
    const { session } = await openSession();
    const browser = await openSocket(world, admin, session.url);
    await expect(openSocket(world, admin, session.url)).rejects.toThrow('status 403');
    browser.socket.close();
    await browser.closed;
  });

  test('is of no use to somebody else, and used up by the attempt', async () => {
    const { session } = await openSession();
    const other = await as(world, 'admin', { company });
    await expect(openSocket(world, other, session.url)).rejects.toThrow('status 403');
    await expect(openSocket(world, admin, session.url)).rejects.toThrow('status 403');
    expect(await row(session.id)).toMatchObject({ end_reason: 'wrong-person' });
  });

  test('ends after 30 seconds', async () => {
    const { session } = await openSession();
    await world.clock.advance(31_000);
    await expect(openSocket(world, admin, session.url)).rejects.toThrow('status 403');
  });

  test('opens nothing for a page of another origin, or for nobody', async () => {
    const { session } = await openSession();
    await expect(openSocket(world, admin, session.url, { origin: 'https://evil.example' })).rejects.toThrow('status 401');
    await expect(openSocket(world, admin, session.url, { cookie: '' })).rejects.toThrow('status 401');
  });
});

test('the history is asked for open sessions as the public API writes it, and as the console does', async () => {
  const { session } = await openSession();
  const ids = async (active: string) =>
    (await admin.get('/devices/connect/logs', { active })).data.map(({ id }: { id: number }) => id) as number[];
  expect(await ids('true')).toContain(session.id);
  expect(await ids('true')).toEqual(await ids('1'));
  expect(await ids('false')).not.toContain(session.id);
  expect((await admin.get('/devices/connect/logs', { active: 'maybe' })).codes).toEqual(['INVALID_FIELD']);
});
