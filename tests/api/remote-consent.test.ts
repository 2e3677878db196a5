import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../server/config.ts';
import { as, asUser, send } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeTree } from '../helpers/factories.ts';
import { actFor } from '../helpers/impersonate.ts';
import { makeEntry, openSocket, registerPipe, startService, type Service } from '../helpers/remote.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const MINUTE = 60_000;
const purpose = 'The camera is dark';

let world: World;
let echo: Service;
beforeAll(async () => {
  const { remote } = loadConfig({ REMOTE_DIRECT: 'loopback', TUNNEL_PORT: '0', REMOTE_PORT: '0' }, '/nowhere');
  world = await makeWorld({ listen: true, config: { remote } });
  registerPipe(world, 'telnet');
  echo = await startService();
});
afterAll(async () => {
  await echo[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** A company that wants to be asked, with its administrator and a device; and somebody of the company above it. */
async function setUp() {
  const { top, middle } = await makeTree(world);
  const [own, support] = [await as(world, 'admin', { company: middle }), await as(world, 'admin', { company: top })];
  const device = await makeDevice(world, { company: middle, status: 1 });
  const entry = await makeEntry(own, { device_id: device.id, port: echo.port });
  const rules = { records_terminals: false, asks_consent: true, idle_minutes: 30 };
  expect((await own.put(`/companies/${middle.id}/remote-access`, rules)).status).toBe(200);
  const connect = () => support.post(`/devices/connect/${entry}`, { duration: 7200 });
  const consents = async () => (await own.get('/remote/consents', { device_id: device.id })).data;
  const stateFor = async (caller = support) => (await caller.get('/remote/terms', { entry })).data.consent;
  return { top, middle, own, support, device, entry, rules, connect, consents, stateFor };
}

test('somebody of the company above reaches a device only once its company allows it, and for as long as it said', async () => {
  const { own, support, entry, device, connect, consents, stateFor } = await setUp();
  expect(await stateFor()).toBe('needed');
  expect(await connect()).toMatchObject({ status: 409, codes: ['REMOTE_CONSENT_NEEDED'] });
  expect((await support.post('/remote/consents', { entry, purpose })).status).toBe(201);
  expect(await stateFor()).toBe('asked');
  expect((await connect()).codes).toEqual(['REMOTE_CONSENT_NEEDED']);
  expect((await support.post('/remote/consents', { entry, purpose })).codes).toEqual(['REMOTE_CONSENT_WAITS']);
  const [asked] = await consents();
  expect(asked).toMatchObject({ user_name: support.user.username, purpose, state: 'asked', can_decide: 1, device_name: device.name });
  await world.clock.advance(5000);
  expect((await own.get('/notifications')).data[0]).toMatchObject({ type: 'remoteAccessAsked', summary: expect.stringContaining(purpose) });
  expect((await own.post(`/remote/consents/${asked.id}/allow`, { hours: 1 })).status).toBe(200);
  const { data } = await connect();
  expect(data.expires_at).toBe(world.clock.now() + 60 * MINUTE);
  const audit = await world.ctx.db
    .selectFrom('audit')
    .select('action')
    .where('entity_id', '=', device.id)
    .where('action', 'like', '%consent')
    .execute();
  expect(audit.map(({ action }) => action)).toEqual(['remote-access.ask-consent', 'remote-access.allow-consent']);
});

test('people of the company itself are not asked for, nor anybody where no company wants it', async () => {
  const { own, entry, middle, rules, stateFor } = await setUp();
  expect(await stateFor(own)).toBe('not-needed');
  expect((await own.post(`/devices/connect/${entry}`, { duration: 60 })).status).toBe(200);
  await own.put(`/companies/${middle.id}/remote-access`, { ...rules, asks_consent: false });
  expect(await stateFor()).toBe('not-needed');
});

test('only people of the company decide: nobody above it, and nobody who impersonates one of them', async () => {
  const { own, support, entry, middle, rules, consents } = await setUp();
  await support.post('/remote/consents', { entry, purpose });
  const [asked] = await consents();
  expect((await support.post(`/remote/consents/${asked.id}/allow`, { hours: 1 })).codes).toEqual(['REMOTE_CONSENT_OF_OTHERS']);
  expect((await support.get('/remote/consents')).data[0]).toMatchObject({ id: asked.id, can_decide: 0 });
  const { headers } = await actFor(world, await as(world, 'super_admin', { company: await makeCompany(world) }), own);
  const allowed = await send(world, 'POST', `/remote/consents/${asked.id}/allow`, { headers, body: { hours: 1 } });
  expect(allowed.codes).toEqual(['REMOTE_CONSENT_OF_OTHERS']);
  expect((await send(world, 'GET', `/remote/terms?entry=${entry}`, { headers })).data.consent).toBe('needed');
  const stranger = await as(world, 'admin', { company: await makeCompany(world) });
  expect((await stranger.post(`/remote/consents/${asked.id}/allow`, { hours: 1 })).codes).toEqual(['NOT_FOUND']);
  const off = { ...rules, asks_consent: false };
  expect((await support.put(`/companies/${middle.id}/remote-access`, off)).errors).toMatchObject([
    { code: 'REMOTE_CONSENT_OF_OTHERS', source: 'asks_consent' },
  ]);
});

test('a question that nobody answers is over after ten minutes, and can be asked again', async () => {
  const before = await setUp();
  const { entry } = before;
  await before.support.post('/remote/consents', { entry, purpose });
  const [asked] = await before.consents();
  await world.clock.jump(11 * MINUTE);
  const [own, support] = [await asUser(world, before.own.user), await asUser(world, before.support.user)];
  expect((await support.get('/remote/terms', { entry })).data.consent).toBe('timed-out');
  expect((await own.post(`/remote/consents/${asked.id}/allow`, { hours: 1 })).codes).toEqual(['NOT_FOUND']);
  expect((await support.post('/remote/consents', { entry, purpose })).status).toBe(201);
  const states = (await own.get('/remote/consents', { device_id: before.device.id })).data;
  expect(states.map(({ state }: { state: string }) => state)).toEqual(['asked', 'timed-out']);
});

test('what was allowed can be taken back, which ends the open sessions of that person and nobody else', async () => {
  const { own, support, entry, connect, consents, stateFor } = await setUp();
  await support.post('/remote/consents', { entry, purpose });
  const [asked] = await consents();
  await own.post(`/remote/consents/${asked.id}/allow`, { hours: 8 });
  const theirs = await openSocket(world, support, (await connect()).data.url);
  const ours = await openSocket(world, own, (await own.post(`/devices/connect/${entry}`, { duration: 600 })).data.url);
  ours.socket.send('hello');
  await ours.until('hello');
  expect((await own.post(`/remote/consents/${asked.id}/refuse`, {})).status).toBe(200);
  expect(await theirs.closed).toEqual({ code: 4000, reason: 'consent-refused' });
  ours.socket.send('still here');
  await ours.until('still here');
  ours.socket.close();
  expect(await stateFor()).toBe('refused');
  expect((await connect()).codes).toEqual(['REMOTE_CONSENT_NEEDED']);
});

test('a link for somebody of another company waits for consent, too', async () => {
  const { own, entry, consents } = await setUp();
  const guest = await as(world, 'read_only', { company: await makeCompany(world) });
  const { data: link } = await own.post(`/remote/entries/${entry}/links`, { email: guest.user.email, hours: 2, purpose });
  const connect = () => guest.post(`/remote/shared/${link.id}/connect`, { duration: 600 });
  expect((await connect()).codes).toEqual(['REMOTE_CONSENT_NEEDED']);
  expect((await guest.post('/remote/consents', { link: link.id, purpose })).status).toBe(201);
  const [asked] = await consents();
  await own.post(`/remote/consents/${asked.id}/allow`, { hours: 1 });
  expect((await connect()).status).toBe(200);
});
