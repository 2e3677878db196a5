import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, asUser, type Caller } from '../helpers/as.ts';
import { makeRole, makeTree, makeUser } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let top: Caller;
let admin: Caller;
let below: Caller;
let colleague: Caller;
let sibling: Caller;

beforeAll(async () => {
  world = await makeWorld();
  const tree = await makeTree(world);
  top = await as(world, 'admin', { company: tree.top });
  admin = await as(world, 'admin', { company: tree.middle });
  const role = await makeRole(world, { company: tree.middle, permissions: ['view_device_remote_access', 'execute_device_remote_access'] });
  colleague = await asUser(world, await makeUser(world, { role, company: tree.middle }));
  below = await as(world, 'admin', { company: tree.bottom });
  sibling = await as(world, 'admin', { company: tree.sibling });
});
afterAll(() => world[Symbol.asyncDispose]());

const PING = { label: 'Ping', text: 'ping -c {count:number} {host}', presses_enter: true };
const labels = async (caller: Caller) => (await caller.get('/remote/keys')).data.map(({ label }: { label: string }) => label);

test('a key of one’s own is seen and changed by nobody else', async () => {
  const { data } = await admin.post('/remote/keys', { ...PING, label: 'Mine' });
  expect(await labels(admin)).toContain('Mine');
  for (const other of [top, colleague, below, sibling]) {
    expect(await labels(other)).not.toContain('Mine');
    expect((await other.get(`/remote/keys/${data.id}`)).status).toBe(404);
    expect((await other.put(`/remote/keys/${data.id}`, PING)).status).toBe(404);
    expect((await other.delete(`/remote/keys/${data.id}`)).status).toBe(404);
  }
});

test('a shared key is for all of its company, and changed by who made it or manages remote access', async () => {
  const { data } = await admin.post('/remote/keys', { ...PING, label: 'Ours', is_shared: true });
  expect(await labels(colleague)).toContain('Ours');
  expect(await labels(top)).toContain('Ours');
  for (const outside of [below, sibling]) expect(await labels(outside)).not.toContain('Ours');
  expect((await colleague.put(`/remote/keys/${data.id}`, PING)).status).toBe(403);
  expect((await top.put(`/remote/keys/${data.id}`, { ...PING, label: 'Better', is_shared: true })).status).toBe(200);
  expect(await labels(colleague)).toContain('Better');
  expect((await admin.put(`/remote/keys/${data.id}`, { ...PING, label: 'Ours', is_shared: false })).status).toBe(200);
  expect(await labels(colleague)).not.toContain('Ours');
  expect((await admin.delete(`/remote/keys/${data.id}`)).status).toBe(200);
  expect(await labels(admin)).not.toContain('Ours');
});

test('a person keeps 100 keys at most', async () => {
  const answers = [];
  for (let count = 0; count < 100; count += 1) answers.push((await top.post('/remote/keys', { ...PING, label: `Key ${count}` })).status);
  expect(answers.every((status) => status === 201)).toBe(true);
  expect(await top.post('/remote/keys', PING)).toMatchObject({ status: 400, errors: [{ source: 'label' }] });
});
