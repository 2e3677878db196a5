import { createHash, randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { startFleet } from '../../agent/fleet/fleet.ts';
import type { UpdateMood } from '../../agent/fleet/device-behaviours.ts';
import { eventually } from './agent-machine.ts';
import { AgentWorld } from './agent-world.ts';

const QUICK = { rebootSeconds: [0.1, 0.2] as const, seed: 'updates', code: 'K7QM', devices: 1, moods: 'good' as const };
const IMAGE = randomBytes(200_000);

function bodyOf(content: Buffer, more: Record<string, string | number> = {}): string {
  const fields = { size: content.length, sha256: createHash('sha256').update(content).digest('hex'), ...more };
  return Object.entries(fields)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}

async function flash(world: AgentWorld, id: string, more: Record<string, string | number> = {}) {
  world.files.set(id, { content: IMAGE });
  return await world.command(id, 'firmware', bodyOf(IMAGE, { keep: 1, version: '00.08.01', ...more }));
}

test('a simulated device loads its image over HTTP, comes back with it, and goes back when nobody confirms it', async () => {
  await using world = await AgentWorld.start();
  await using fleet = await startFleet({ ...QUICK, url: world.url });
  const [device] = fleet.devices;
  const former = (await world.hello()).json['firmware'];
  const after = world.heard.length;
  const runs = `${device?.identity.model.family}00.08.01`;
  expect(await flash(world, 'c1', { confirm_seconds: 1 })).toMatchObject({ state: 'ok', message: `Runs ${runs}` });
  expect((await world.hello(after)).json['firmware']).toBe(runs);
  const log = await world.hear('that it went back', (m) => m.topic === 'up/log', after);
  expect(log.json['message']).toContain('was not confirmed in time');
  expect(device?.identity.firmware).toBe(former);
  expect(await world.command('c2', 'confirm', 'required=1\n')).toMatchObject({ state: 'failed' });
  expect(await flash(world, 'c3', { confirm_seconds: 60 })).toMatchObject({ state: 'ok' });
  expect(await world.command('c4', 'confirm', 'required=1\n')).toMatchObject({ state: 'ok', message: 'Confirmed' });
  expect(device?.identity.firmware).toBe(runs);
});

test.each([
  ['wrong-checksum', /^Wrong checksum/],
  ['loses-power', /^Interrupted/],
  ['old-image', /^It came back with /],
] satisfies [UpdateMood, RegExp][])('the mood %s fails an update in its own way', async (updateMood, message) => {
  await using world = await AgentWorld.start();
  await using fleet = await startFleet({ ...QUICK, url: world.url, updateMood });
  const former = fleet.devices[0]?.identity.firmware;
  expect(await flash(world, 'c1')).toMatchObject({ state: 'failed', message: expect.stringMatching(message) });
  expect(fleet.devices[0]?.identity.firmware).toBe(former);
  expect(fleet.devices[0]?.isOnline).toBe(true);
});

test('one that fails its check is rolled back, and one that bricks stays away', async () => {
  await using world = await AgentWorld.start();
  await using fleet = await startFleet({ ...QUICK, url: world.url, updateMood: 'fails-check' });
  const [device] = fleet.devices;
  const former = device?.identity.firmware;
  expect(await flash(world, 'c1', { confirm_seconds: 60 })).toMatchObject({ state: 'ok' });
  expect(await world.command('c2', 'check', 'wan=1\n')).toMatchObject({ state: 'failed', message: 'no way to the internet' });
  expect(await world.command('c3', 'rollback')).toMatchObject({ state: 'ok', message: 'Rolled back' });
  expect(device?.identity.firmware).toBe(former);
  if (device) device.updateMood = 'bricks';
  world.files.set('c4', { content: IMAGE });
  const after = world.heard.length;
  const body = bodyOf(IMAGE, { version: '00.08.02' });
  await world.send(`canopy/1 c4 firmware ${Math.floor(Date.now() / 1000) + 60} 10 ${Math.floor(Date.now() / 1000)}\n${body}`);
  await world.hear('its goodbye', (m) => m.json['online'] === false, after);
  await eventually('it is away', () => device?.isOnline === false);
  expect(device?.identity.firmware).toBe(`${device?.identity.model.family}00.08.02`);
});

test('backups differ by what was set, tar reads them, and a restored one brings it back', async () => {
  await using world = await AgentWorld.start();
  await using fleet = await startFleet({ ...QUICK, url: world.url });
  expect(fleet.devices).toHaveLength(1);
  const set = (id: string, value: string) => world.command(id, 'run', `uci set system.note='${value}'`);
  await set('c1', 'first');
  expect(await world.command('c2', 'send', 'what=backup\n')).toMatchObject({ state: 'ok' });
  await set('c3', 'second');
  await world.command('c4', 'send', 'what=backup\n');
  const [first, second] = world.received.map(({ bytes }) => bytes);
  const settingsOf = (archive: Buffer | undefined) =>
    execFileSync('tar', ['-xzOf', '-', 'etc/config/settings'], { input: archive }).toString();
  expect([settingsOf(first), settingsOf(second)]).toEqual(['system.note=["first"]\n', 'system.note=["second"]\n']);
  const archive = first ?? Buffer.alloc(0);
  world.files.set('c5', { content: archive });
  expect(await world.command('c5', 'restore', bodyOf(archive, { confirm_seconds: 60 }))).toMatchObject({ state: 'ok' });
  expect(await world.command('c6', 'run', 'uci get system.note')).toMatchObject({ output: 'first\n' });
  await world.command('c7', 'rollback');
  expect(await world.command('c8', 'run', 'uci get system.note')).toMatchObject({ output: 'second\n' });
  for (const [id, what] of [
    ['c9', 'troubleshoot'],
    ['c10', 'eventslog'],
  ] as const)
    expect(await world.command(id, 'send', `what=${what}\n`)).toMatchObject({ state: 'ok' });
});

test('changed settings are answered in a new session, and an address that is none has the former ones back', async () => {
  await using world = await AgentWorld.start();
  await using fleet = await startFleet({ ...QUICK, url: world.url });
  const [device] = fleet.devices;
  await world.hello();
  const settings = () => device?.configuration.files.get('etc/config/network');
  const before = settings();
  const wrong = 'confirm_seconds=60\nconfig=network\ndo=set network.lan.ipaddr=299.1.1.1\n';
  expect(await world.command('c1', 'configure', wrong)).toMatchObject({
    state: 'failed',
    message: 'The former settings are in force: lan: INVALID_ADDRESS',
  });
  expect(settings()).toBe(before);
  const after = world.heard.length;
  const right = 'confirm_seconds=60\nconfig=network\ndo=set network.lan.ipaddr=10.7.0.1\n';
  expect(await world.command('c2', 'configure', right)).toMatchObject({ state: 'ok', message: 'Settings changed' });
  const kept = world.heard.slice(after);
  const places = [
    kept.findIndex(({ json }) => json['online'] === false),
    kept.findIndex(({ topic }) => topic === 'up/hello'),
    kept.findIndex(({ json }) => json['id'] === 'c2' && json['state'] === 'ok'),
  ];
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(-1);
  expect(settings()).toContain('10.7.0.1');
});
