import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../server/config.ts';
import { as, asUser, type Caller } from '../helpers/as.ts';
import { changeMember, makeCompany, makeDevice, makeTag, makeTree } from '../helpers/factories.ts';
import { closedPort, makeEntry, registerPipe, startService, type Service } from '../helpers/remote.ts';
import { UNKNOWN_ID } from '../helpers/route-samples.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let echo: Service;
let tree: Awaited<ReturnType<typeof makeTree>>;
let admin: Caller;
/** Administrators of the company itself, of the one above it, and of the installation in another tree. */
let inside: Caller[];
/** Administrators of companies beside, below and elsewhere, and a reader of the company itself. */
let outside: Caller[];
let reader: Caller;
let device: Awaited<ReturnType<typeof makeDevice>>;

beforeAll(async () => {
  const { remote } = loadConfig({ REMOTE_DIRECT: 'loopback', TUNNEL_PORT: '0', REMOTE_PORT: '0' }, '/nowhere');
  world = await makeWorld({ listen: true, config: { remote } });
  registerPipe(world, 'telnet');
  echo = await startService();
  tree = await makeTree(world);
  admin = await as(world, 'admin', { company: tree.middle });
  inside = [admin, await as(world, 'admin', { company: tree.top }), await as(world, 'super_admin', { company: tree.foreign })];
  outside = [];
  for (const company of [tree.sibling, tree.bottom, tree.foreign]) outside.push(await as(world, 'admin', { company }));
  reader = await as(world, 'read_only', { company: tree.middle });
  // Online, it would be asked for a tunnel.
  device = await makeDevice(world, { company: tree.middle, status: 0 });
});
afterAll(async () => {
  await echo[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** Those inside reach the record, to those outside it is as one that never existed, and a reader has no right. */
async function expectAccess(call: (caller: Caller, id: number) => ReturnType<Caller['post']>, id: number) {
  for (const caller of outside) {
    const theirs = await call(caller, id);
    const unknown = await call(caller, UNKNOWN_ID);
    expect([theirs.status, theirs.text]).toEqual([404, unknown.text]);
  }
  expect((await call(reader, id)).status).toBe(403);
  for (const caller of inside) expect((await call(caller, id)).status).toBe(200);
}

describe('tries of entries', () => {
  test('find what answers, for those who see the device [AC1]', async () => {
    const entry = await makeEntry(admin, { device_id: device.id, port: echo.port });
    expect((await admin.get(`/devices/remote-access/${entry}`)).data.state).toBe('unchecked');
    await expectAccess((caller, id) => caller.post(`/remote/entries/${id}/check`, {}), entry);
    expect((await admin.get(`/devices/remote-access/${entry}`)).data.state).toBe('open');
    await expect.poll(() => echo.open()).toBe(0);
  });

  test('find that nothing answers', async () => {
    const entry = await makeEntry(admin, { device_id: device.id, port: await closedPort() });
    expect((await admin.post(`/remote/entries/${entry}/check`, {})).data).toEqual({ id: entry, state: 'closed' });
  });

  test('of all entries of a device are followed on a channel, and blocked ones are unblocked at once [AC1]', async () => {
    const own = await makeDevice(world, { company: tree.middle, status: 0 });
    const [open, closed] = [
      await makeEntry(admin, { device_id: own.id, port: echo.port }),
      await makeEntry(admin, { device_id: own.id, port: await closedPort() }),
    ];
    await expectAccess((caller, id) => caller.post(`/devices/${id}/remote-access/check`, {}), own.id);
    const { meta } = await admin.post(`/devices/${own.id}/remote-access/check`, {});
    expect((await admin.get(`//status/channel/${String(meta['channel'])}`)).data).toEqual({
      [open]: [{ status: 'completed', value: 'open' }],
      [closed]: [{ status: 'error', value: 'closed', errorCode: 'CLOSED' }],
    });
    await admin.post(`/remote/entries/${open}/block`, {});
    expect((await admin.post(`/devices/connect/${open}`, { duration: 60 })).codes).toEqual(['REMOTE_BLOCKED']);
    await expectAccess((caller, id) => caller.post(`/devices/${id}/remote-access/unblock`, {}), own.id);
    expect((await admin.post(`/devices/connect/${open}`, { duration: 60 })).status).toBe(200);
    expect((await admin.post(`/devices/${own.id}/remote-access/explode`, {})).status).toBe(404);
  });
});

describe('devices in hubs', () => {
  async function makeHub() {
    const own = await makeDevice(world, { company: tree.middle, status: 1 });
    const body = { company_id: tree.middle.id, name: `Hub ${own.id}`, endpoint: 'vpn.example', port: 51_820 };
    const { data } = await admin.post('/vpn/hubs', { ...body, ip: '10.77.0.0', netmask: '255.255.255.0' });
    expect((await admin.post(`/vpn/hubs/${data.id}/devices`, { device_id: [own.id] })).status).toBeLessThan(300);
    return { hub: data.id as number, own };
  }

  test('let its clients into their LAN when they are asked to, and the list says so [AC1]', async () => {
    const { hub, own } = await makeHub();
    const put = (caller: Caller, id: number) => caller.post(`/vpn/hubs/${id}/devices/${own.id}/rules`, { network: 'lan', status: true });
    await expectAccess(put, hub);
    expect((await admin.get(`/vpn/hubs/${hub}/devices/rules`)).data).toMatchObject([{ device_id: own.id, lan: true, wan: false }]);
    for (const other of [device.id, UNKNOWN_ID])
      expect((await admin.post(`/vpn/hubs/${hub}/devices/${other}/rules`, { network: 'lan', status: true })).status).toBe(404);
  });

  test('get what they connect with by a job of their own [AC1]', async () => {
    const { hub, own } = await makeHub();
    const sync = (caller: Caller, id: number, of = own) => caller.post(`/vpn/hubs/${id}/devices/${of.id}/sync`, {});
    for (const caller of outside) {
      const theirs = await sync(caller, hub);
      expect([theirs.status, theirs.text]).toEqual([404, (await sync(caller, UNKNOWN_ID)).text]);
    }
    expect((await sync(reader, hub)).status).toBe(403);
    for (const caller of inside) {
      const another = await makeHub();
      expect((await sync(caller, another.hub, another.own)).meta).toMatchObject({ count: 1, channel: expect.any(String) });
    }
    await sync(admin, hub);
    expect((await sync(admin, hub)).status, 'while the first one waits').toBe(409);
    for (const other of [device.id, UNKNOWN_ID]) expect((await admin.post(`/vpn/hubs/${hub}/devices/${other}/sync`, {})).status).toBe(404);
  });

  test('are given DHCP options, which go one by one [AC1]', async () => {
    const { hub } = await makeHub();
    const option = { type: 'DNS', ip_address: '9.9.9.9' };
    const removed: number[] = [];
    for (const caller of outside) {
      const theirs = await caller.delete(`/vpn/hubs/${hub}/dhcp`, option);
      expect([theirs.status, theirs.text]).toEqual([404, (await caller.delete(`/vpn/hubs/${UNKNOWN_ID}/dhcp`, option)).text]);
    }
    expect((await reader.delete(`/vpn/hubs/${hub}/dhcp`, option)).status).toBe(403);
    for (const caller of inside) {
      expect((await admin.post(`/vpn/hubs/${hub}/dhcp`, option)).status).toBeLessThan(300);
      expect((await admin.get(`/vpn/hubs/${hub}/dhcp`)).data).toMatchObject([option]);
      removed.push((await caller.delete(`/vpn/hubs/${hub}/dhcp`, option)).status);
    }
    expect(removed).toEqual([200, 200, 200]);
    expect((await admin.delete(`/vpn/hubs/${hub}/dhcp`, option)).status).toBe(404);
  });
});

describe('an entry of a device that goes to another company', () => {
  const tagsOf = async (caller: Caller, entry: number) =>
    ((await caller.get(`/devices/remote-access/${entry}`)).data.tags as { id: number }[]).map(({ id }) => id);
  const findByTag = async (caller: Caller, tag: number) => (await caller.get('/devices/remote-access', { tag_id: tag })).meta['total'];

  test('keeps tags of companies above both, and shows none of the company that it left', async () => {
    const [above, own] = [await makeTag(world, { company: tree.top }), await makeTag(world, { company: tree.middle })];
    const moved = await makeDevice(world, { company: tree.middle, status: 0 });
    const entry = await makeEntry(admin, { device_id: moved.id, port: echo.port });
    const top = inside[1] as Caller;
    expect((await admin.put(`/devices/remote-access/${entry}`, { tag_id: [own.id] })).status).toBe(200);
    expect((await top.put(`/devices/remote-access/${entry}`, { tag_id: [above.id, own.id] })).status).toBe(200);
    const { data: shared } = await admin.post(`/remote/entries/${entry}/links`, { email: 'a@example.org', purpose: 'Camera', hours: 2 });
    expect(await findByTag(admin, own.id)).toBe(1);
    await top.post('/devices/move', { device_id: [moved.id], company_id: tree.sibling.id });
    await world.ctx.jobs.settled();
    const sibling = await as(world, 'admin', { company: tree.sibling });
    for (const caller of [sibling, top]) {
      // Tags of companies above are for those who see them.
      expect(await tagsOf(caller, entry)).toEqual(caller === top ? [above.id] : []);
      expect(await findByTag(caller, own.id)).toBe(0);
      expect((await caller.get('/remote/links')).data.filter(({ id }: { id: number }) => id === shared.id)).toEqual([]);
    }
    const ownTag = await makeTag(world, { company: tree.sibling });
    expect((await sibling.put(`/devices/remote-access/${entry}`, { tag_id: [ownTag.id] })).status).toBe(200);
    expect(new Set(await tagsOf(top, entry))).toEqual(new Set([above.id, ownTag.id]));
  });

  test('takes only tags that devices of its company may have', async () => {
    const entry = await makeEntry(admin, { device_id: device.id, port: echo.port });
    const top = inside[1] as Caller;
    for (const company of [tree.sibling, tree.bottom, tree.foreign]) {
      const tag = await makeTag(world, { company });
      const answer = await top.put(`/devices/remote-access/${entry}`, { tag_id: [tag.id] });
      expect([answer.status, answer.errors[0]?.source]).toEqual([404, 'tag_id']);
    }
  });
});

describe('an entry that is shared', () => {
  async function share(hours = 2, giver = admin) {
    const guest = await as(world, 'read_only', { company: await makeCompany(world) });
    const entry = await makeEntry(admin, { device_id: device.id, port: echo.port });
    const given = { email: guest.user.email.toUpperCase(), purpose: 'Camera is dark', hours, ticket_number: '4711' };
    const { data, status } = await giver.post(`/remote/entries/${entry}/links`, given);
    expect(status).toBe(201);
    return { guest, entry, link: data.id as number };
  }
  const connect = (caller: Caller, link: number) => caller.post(`/remote/shared/${link}/connect`, { duration: 7200 });

  test('is opened by the person that it names, who sees nothing else of the company, and by nobody else', async () => {
    const { guest, entry, link } = await share();
    expect((await guest.get('/remote/shared')).data).toMatchObject([{ id: link, purpose: 'Camera is dark' }]);
    expect((await connect(guest, link)).data).toMatchObject({ kind: 'telnet' });
    expect((await guest.get(`/devices/${device.id}`)).status).toBe(404);
    expect((await guest.post(`/devices/connect/${entry}`, { duration: 60 })).status).toBeGreaterThan(400);
    const unknown = await connect(admin, UNKNOWN_ID);
    for (const caller of [admin, ...outside]) {
      expect([(await connect(caller, link)).text, (await connect(caller, link)).codes]).toEqual([unknown.text, ['REMOTE_LINK_INVALID']]);
      expect((await caller.get('/remote/shared')).data).toEqual([]);
    }
  });

  test('ends with the link: revoked, given by somebody who may no longer, or past its time', async () => {
    const taken = await share();
    await admin.delete(`/remote/links/${taken.link}`);
    expect((await connect(taken.guest, taken.link)).codes).toEqual(['REMOTE_LINK_INVALID']);
    const giver = await as(world, 'admin', { company: tree.middle });
    const given = await share(2, giver);
    await changeMember(world, giver.user, { role: 'read_only' });
    expect((await connect(given.guest, given.link)).codes).toEqual(['REMOTE_LINK_INVALID']);
    const late = await share(1);
    expect((await connect(late.guest, late.link)).data.expires_at).toBe(world.clock.now() + 3_600_000);
    await world.clock.jump(3_600_001);
    const again = await asUser(world, late.guest.user);
    expect((await connect(again, late.link)).codes).toEqual(['REMOTE_LINK_INVALID']);
    expect((await again.get('/remote/shared')).data).toEqual([]);
  });
});
